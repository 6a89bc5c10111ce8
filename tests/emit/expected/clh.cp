// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared bool busy[3];
shared int<0..2> tail = 2;
shared int<0..2> last;
thread int<0..2> me_;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread bool view_busy[3];
thread bool mask_busy[2][3];
thread bool queue_busy[2][3];
thread int<0..2> view_tail;
thread bool mask_tail[2];
thread int<0..2> queue_tail[2];

process P(int<0..1> me) {
  int<0..2> mine;
  int<0..2> before;
  bool t_cas;
  bool t_busy;
  if (me == 0) {
    me_ = 1;
  } else {
    me_ = 2;
  }
  mine = me;
  before = 0;
  while (true) {
    atomic_begin;
    call is_init_round;
    call memory_update_busy(mine, true);
    atomic_end;
    call flush_rounds;
    do {
      atomic_begin;
      call is_init_round;
      before = view_tail;
      atomic_end;
      call flush_rounds;
      atomic_begin;
      call is_init_round;
      call fence_buffer;
      if (view_tail == before) {
        tail = mine;
        view_tail = mine;
        t_cas = true;
      } else {
        t_cas = false;
      }
      atomic_end;
    } while (!t_cas);
    do {
      atomic_begin;
      call is_init_round;
      t_busy = view_busy[before];
      atomic_end;
      call flush_rounds;
    } while (t_busy) {
      skip;
    }
    cs: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_busy(mine, false);
    atomic_end;
    call flush_rounds;
    mine = before;
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_busy[0] = busy[0];
  view_busy[1] = busy[1];
  view_busy[2] = busy[2];
  view_tail = tail;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_busy[r_SC][0]) {
    busy[0] = queue_busy[r_SC][0];
    mask_busy[r_SC][0] = false;
    queue_busy[r_SC][0] = false;
  } else {
    if (!mask_busy[0][0] && !mask_busy[1][0]) {
      view_busy[0] = busy[0];
    }
  }
  if (mask_busy[r_SC][1]) {
    busy[1] = queue_busy[r_SC][1];
    mask_busy[r_SC][1] = false;
    queue_busy[r_SC][1] = false;
  } else {
    if (!mask_busy[0][1] && !mask_busy[1][1]) {
      view_busy[1] = busy[1];
    }
  }
  if (mask_busy[r_SC][2]) {
    busy[2] = queue_busy[r_SC][2];
    mask_busy[r_SC][2] = false;
    queue_busy[r_SC][2] = false;
  } else {
    if (!mask_busy[0][2] && !mask_busy[1][2]) {
      view_busy[2] = busy[2];
    }
  }
  if (mask_tail[r_SC]) {
    tail = queue_tail[r_SC];
    mask_tail[r_SC] = false;
    queue_tail[r_SC] = 0;
  } else {
    if (!mask_tail[0] && !mask_tail[1]) {
      view_tail = tail;
    }
  }
}

procedure is_init_round {
  int<0..2> previous;
  if (started) {
    previous = last;
    if (previous != me_) {
      last = me_;
      call init_round;
    }
  } else {
    started = true;
    last = me_;
    call init_thread;
  }
}

procedure flush_rounds {
  if (r_TSO != r_SC) {
    if (*) {
      atomic_begin;
      call is_init_round;
      atomic_end;
    }
  }
}

procedure fence_buffer {
  assume(r_TSO == r_SC);
}

procedure memory_update_busy(int<0..2> i0, bool g) {
  int<0..1> n;
  view_busy[i0] = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    busy[i0] = g;
  } else {
    mask_busy[r_TSO][i0] = true;
    queue_busy[r_TSO][i0] = g;
  }
}

procedure memory_update_tail(int<0..2> g) {
  int<0..1> n;
  view_tail = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    tail = g;
  } else {
    mask_tail[r_TSO] = true;
    queue_tail[r_TSO] = g;
  }
}

forbid P@cs, P@cs;
