// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..1> x;
shared int last;
shared int threads;
thread int<0..1> r;
thread int me;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..1> view_x;
thread bool mask_x[2];
thread int<0..1> queue_x[2];

process P {
  atomic_begin;
  call is_init_round;
  r = view_x;
  atomic_end;
  call flush_rounds;
  assume(r_TSO == r_SC);
}

main {
  atomic_begin;
  call is_init_round;
  call memory_update_x(1);
  atomic_end;
  call flush_rounds;
  atomic_begin;
  call is_init_round;
  atomic_end;
  spawn P;
  call flush_rounds;
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_x = x;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_x[r_SC]) {
    x = queue_x[r_SC];
    mask_x[r_SC] = false;
    queue_x[r_SC] = 0;
  } else {
    if (!mask_x[0] && !mask_x[1]) {
      view_x = x;
    }
  }
}

procedure is_init_round {
  int previous;
  if (started) {
    previous = last;
    if (previous != me) {
      last = me;
      call init_round;
    }
  } else {
    me = threads;
    me = me + 1;
    threads = me;
    started = true;
    last = me;
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

procedure memory_update_x(int<0..1> g) {
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

final P.r == 1;
