// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..3> n;
shared int last;
shared int threads;
thread bool up;
thread int me;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..3> view_n;
thread bool mask_n[2];
thread int<0..3> queue_n[2];

main {
  int t;
  int<0..3> t_n;
  atomic_begin;
  call is_init_round;
  atomic_end;
  t = spawn Worker(2);
  call flush_rounds;
  atomic_begin;
  call is_init_round;
  atomic_end;
  spawn Worker(1);
  call flush_rounds;
  atomic_begin;
  call is_init_round;
  call fence_buffer;
  t_n = view_n;
  call memory_update_n(t_n + 1);
  call fence_buffer;
  atomic_end;
  atomic_begin;
  call is_init_round;
  join t;
  atomic_end;
  call flush_rounds;
  atomic_begin;
  call is_init_round;
  t_n = view_n;
  atomic_end;
  call flush_rounds;
  assert(t_n < 3);
  assume(r_TSO == r_SC);
  if (!started) {
    atomic_begin;
    call is_init_round;
    atomic_end;
  }
}

process Worker(int<0..3> by) {
  up = *;
  if (up) {
    call add(by);
  }
  assume(r_TSO == r_SC);
  if (!started) {
    atomic_begin;
    call is_init_round;
    atomic_end;
  }
}

procedure add(int<0..3> by) {
  int<0..3> old;
  atomic_begin;
  call is_init_round;
  old = view_n;
  atomic_end;
  call flush_rounds;
  if (old + by <= 3) {
    atomic_begin;
    call is_init_round;
    call memory_update_n(old + by);
    atomic_end;
    call flush_rounds;
  }
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_n = n;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_n[r_SC]) {
    n = queue_n[r_SC];
    mask_n[r_SC] = false;
    queue_n[r_SC] = 0;
  } else {
    if (!mask_n[0] && !mask_n[1]) {
      view_n = n;
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

procedure memory_update_n(int<0..3> g) {
  int<0..1> n_;
  view_n = g;
  n_ = *;
  assume(n_ >= r_TSO);
  r_TSO = n_;
  if (r_TSO == r_SC) {
    n = g;
  } else {
    mask_n[r_TSO] = true;
    queue_n[r_TSO] = g;
  }
}
