// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..3> next;
shared int<0..3> serving;
shared int<0..3> last;
thread int<0..3> me_;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..3> view_next;
thread bool mask_next[2];
thread int<0..3> queue_next[2];
thread int<0..3> view_serving;
thread bool mask_serving[2];
thread int<0..3> queue_serving[2];

process P(int<0..2> me) {
  int<0..3> ticket;
  int<0..3> t_serving;
  if (me == 0) {
    me_ = 1;
  } else {
    if (me == 1) {
      me_ = 2;
    } else {
      me_ = 3;
    }
  }
  while (true) {
    atomic_begin;
    call is_init_round;
    call fence_buffer;
    ticket = view_next;
    call memory_update_next((ticket + 1) % 4);
    call fence_buffer;
    atomic_end;
    do {
      atomic_begin;
      call is_init_round;
      t_serving = view_serving;
      atomic_end;
      call flush_rounds;
    } while (t_serving != ticket) {
      skip;
    }
    cs: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_serving((ticket + 1) % 4);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_next = next;
  view_serving = serving;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_next[r_SC]) {
    next = queue_next[r_SC];
    mask_next[r_SC] = false;
    queue_next[r_SC] = 0;
  } else {
    if (!mask_next[0] && !mask_next[1]) {
      view_next = next;
    }
  }
  if (mask_serving[r_SC]) {
    serving = queue_serving[r_SC];
    mask_serving[r_SC] = false;
    queue_serving[r_SC] = 0;
  } else {
    if (!mask_serving[0] && !mask_serving[1]) {
      view_serving = serving;
    }
  }
}

procedure is_init_round {
  int<0..3> previous;
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

procedure memory_update_next(int<0..3> g) {
  int<0..1> n;
  view_next = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    next = g;
  } else {
    mask_next[r_TSO] = true;
    queue_next[r_TSO] = g;
  }
}

procedure memory_update_serving(int<0..3> g) {
  int<0..1> n;
  view_serving = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    serving = g;
  } else {
    mask_serving[r_TSO] = true;
    queue_serving[r_TSO] = g;
  }
}

forbid P@cs, P@cs;
