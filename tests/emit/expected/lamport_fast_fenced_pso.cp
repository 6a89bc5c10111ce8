// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared bool b[2];
shared int<0..2> x = 2;
shared int<0..2> y = 2;
shared int<0..2> last;
thread int<0..2> me_;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread bool view_b[2];
thread bool mask_b[2][2];
thread bool queue_b[2][2];
thread int<0..2> view_x;
thread bool mask_x[2];
thread int<0..2> queue_x[2];
thread int<0..2> view_y;
thread bool mask_y[2];
thread int<0..2> queue_y[2];

process P(int<0..1> me) {
  int<0..2> t_y;
  int<0..2> t_x;
  int<0..2> j;
  bool t_b;
  if (me == 0) {
    me_ = 1;
  } else {
    me_ = 2;
  }
  while (true) {
    start: atomic_begin;
    call is_init_round;
    call memory_update_b(me, true);
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call memory_update_x(me);
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call fence_buffer;
    atomic_end;
    atomic_begin;
    call is_init_round;
    t_y = view_y;
    atomic_end;
    call flush_rounds;
    if (t_y != 2) {
      atomic_begin;
      call is_init_round;
      call memory_update_b(me, false);
      atomic_end;
      call flush_rounds;
      do {
        atomic_begin;
        call is_init_round;
        t_y = view_y;
        atomic_end;
        call flush_rounds;
      } while (t_y != 2) {
        skip;
      }
      goto start;
    }
    atomic_begin;
    call is_init_round;
    call memory_update_y(me);
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call fence_buffer;
    atomic_end;
    atomic_begin;
    call is_init_round;
    t_x = view_x;
    atomic_end;
    call flush_rounds;
    if (t_x != me) {
      atomic_begin;
      call is_init_round;
      call memory_update_b(me, false);
      atomic_end;
      call flush_rounds;
      j = 0;
      while (j < 2) {
        do {
          atomic_begin;
          call is_init_round;
          t_b = view_b[j];
          atomic_end;
          call flush_rounds;
        } while (t_b) {
          skip;
        }
        j = j + 1;
      }
      atomic_begin;
      call is_init_round;
      t_y = view_y;
      atomic_end;
      call flush_rounds;
      if (t_y != me) {
        do {
          atomic_begin;
          call is_init_round;
          t_y = view_y;
          atomic_end;
          call flush_rounds;
        } while (t_y != 2) {
          skip;
        }
        goto start;
      }
    }
    cs: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_y(2);
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call fence_buffer;
    atomic_end;
    atomic_begin;
    call is_init_round;
    call memory_update_b(me, false);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_b[0] = b[0];
  view_b[1] = b[1];
  view_x = x;
  view_y = y;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_b[r_SC][0]) {
    b[0] = queue_b[r_SC][0];
    mask_b[r_SC][0] = false;
    queue_b[r_SC][0] = false;
  } else {
    if (!mask_b[0][0] && !mask_b[1][0]) {
      view_b[0] = b[0];
    }
  }
  if (mask_b[r_SC][1]) {
    b[1] = queue_b[r_SC][1];
    mask_b[r_SC][1] = false;
    queue_b[r_SC][1] = false;
  } else {
    if (!mask_b[0][1] && !mask_b[1][1]) {
      view_b[1] = b[1];
    }
  }
  if (mask_x[r_SC]) {
    x = queue_x[r_SC];
    mask_x[r_SC] = false;
    queue_x[r_SC] = 0;
  } else {
    if (!mask_x[0] && !mask_x[1]) {
      view_x = x;
    }
  }
  if (mask_y[r_SC]) {
    y = queue_y[r_SC];
    mask_y[r_SC] = false;
    queue_y[r_SC] = 0;
  } else {
    if (!mask_y[0] && !mask_y[1]) {
      view_y = y;
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

procedure memory_update_b(int<0..1> i0, bool g) {
  int<0..1> n;
  view_b[i0] = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    b[i0] = g;
  } else {
    mask_b[r_TSO][i0] = true;
    queue_b[r_TSO][i0] = g;
  }
}

procedure memory_update_x(int<0..2> g) {
  int<0..1> n;
  view_x = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    x = g;
  } else {
    mask_x[r_TSO] = true;
    queue_x[r_TSO] = g;
  }
}

procedure memory_update_y(int<0..2> g) {
  int<0..1> n;
  view_y = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    y = g;
  } else {
    mask_y[r_TSO] = true;
    queue_y[r_TSO] = g;
  }
}

forbid P@cs, P@cs;
