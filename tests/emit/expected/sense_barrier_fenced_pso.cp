// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..2> missing = 2;
shared bool sense;
shared int<0..2> last;
thread int<0..2> me_;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..2> view_missing;
thread bool mask_missing[2];
thread int<0..2> queue_missing[2];
thread bool view_sense;
thread bool mask_sense[2];
thread bool queue_sense[2];

process P(int<0..1> me) {
  bool mine;
  int<0..2> m;
  bool t_cas;
  bool t_sense;
  if (me == 0) {
    me_ = 1;
  } else {
    me_ = 2;
  }
  while (true) {
    mine = !mine;
    if (mine) {
      odd: skip;
    } else {
      even: skip;
    }
    do {
      atomic_begin;
      call is_init_round;
      m = view_missing;
      atomic_end;
      call flush_rounds;
      atomic_begin;
      call is_init_round;
      call fence_buffer;
      if (view_missing == m) {
        assert(m - 1 >= 0);
        missing = m - 1;
        view_missing = m - 1;
        t_cas = true;
      } else {
        t_cas = false;
      }
      atomic_end;
    } while (!t_cas);
    if (m == 1) {
      atomic_begin;
      call is_init_round;
      call memory_update_missing(2);
      atomic_end;
      call flush_rounds;
      atomic_begin;
      call is_init_round;
      call fence_buffer;
      atomic_end;
      atomic_begin;
      call is_init_round;
      call memory_update_sense(mine);
      atomic_end;
      call flush_rounds;
    } else {
      do {
        atomic_begin;
        call is_init_round;
        t_sense = view_sense;
        atomic_end;
        call flush_rounds;
      } while (t_sense != mine) {
        skip;
      }
    }
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_missing = missing;
  view_sense = sense;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_missing[r_SC]) {
    missing = queue_missing[r_SC];
    mask_missing[r_SC] = false;
    queue_missing[r_SC] = 0;
  } else {
    if (!mask_missing[0] && !mask_missing[1]) {
      view_missing = missing;
    }
  }
  if (mask_sense[r_SC]) {
    sense = queue_sense[r_SC];
    mask_sense[r_SC] = false;
    queue_sense[r_SC] = false;
  } else {
    if (!mask_sense[0] && !mask_sense[1]) {
      view_sense = sense;
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

procedure memory_update_missing(int<0..2> g) {
  int<0..1> n;
  view_missing = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    missing = g;
  } else {
    mask_missing[r_TSO] = true;
    queue_missing[r_TSO] = g;
  }
}

procedure memory_update_sense(bool g) {
  int<0..1> n;
  view_sense = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    sense = g;
  } else {
    mask_sense[r_TSO] = true;
    queue_sense[r_TSO] = g;
  }
}

forbid P@odd, P@even;
