// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..1> x;
shared int<0..1> y;
shared int<0..1> z;
shared int<0..3> last;
thread int<0..1> r;
thread int<0..3> me;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..1> view_x;
thread bool mask_x[2];
thread int<0..1> queue_x[2];
thread int<0..1> view_y;
thread bool mask_y[2];
thread int<0..1> queue_y[2];
thread int<0..1> view_z;
thread bool mask_z[2];
thread int<0..1> queue_z[2];

process P {
  me = 1;
  atomic_begin;
  call is_init_round;
  call memory_update_x(1);
  atomic_end;
  call flush_rounds;
  atomic_begin;
  call is_init_round;
  r = view_y;
  atomic_end;
  call flush_rounds;
  assume(r_TSO == r_SC);
}

process Q {
  me = 2;
  atomic_begin;
  call is_init_round;
  call memory_update_y(1);
  atomic_end;
  call flush_rounds;
  atomic_begin;
  call is_init_round;
  r = view_z;
  atomic_end;
  call flush_rounds;
  assume(r_TSO == r_SC);
}

process S {
  me = 3;
  atomic_begin;
  call is_init_round;
  call memory_update_z(1);
  atomic_end;
  call flush_rounds;
  atomic_begin;
  call is_init_round;
  r = view_x;
  atomic_end;
  call flush_rounds;
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_x = x;
  view_y = y;
  view_z = z;
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
  if (mask_y[r_SC]) {
    y = queue_y[r_SC];
    mask_y[r_SC] = false;
    queue_y[r_SC] = 0;
  } else {
    if (!mask_y[0] && !mask_y[1]) {
      view_y = y;
    }
  }
  if (mask_z[r_SC]) {
    z = queue_z[r_SC];
    mask_z[r_SC] = false;
    queue_z[r_SC] = 0;
  } else {
    if (!mask_z[0] && !mask_z[1]) {
      view_z = z;
    }
  }
}

procedure is_init_round {
  int<0..3> previous;
  if (started) {
    previous = last;
    if (previous != me) {
      last = me;
      call init_round;
    }
  } else {
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

procedure memory_update_y(int<0..1> g) {
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

procedure memory_update_z(int<0..1> g) {
  int<0..1> n;
  view_z = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    z = g;
  } else {
    mask_z[r_TSO] = true;
    queue_z[r_TSO] = g;
  }
}

final !(P.r == 0 && Q.r == 0 && S.r == 0);
