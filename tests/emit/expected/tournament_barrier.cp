// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared bool arrived;
shared bool go;
shared int<0..2> last;
thread int<0..2> me;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread bool view_arrived;
thread bool mask_arrived[2];
thread bool queue_arrived[2];
thread bool view_go;
thread bool mask_go[2];
thread bool queue_go[2];

process Winner {
  bool t_arrived;
  me = 1;
  while (true) {
    even: skip;
    do {
      atomic_begin;
      call is_init_round;
      t_arrived = view_arrived;
      atomic_end;
      call flush_rounds;
    } while (!t_arrived) {
      skip;
    }
    atomic_begin;
    call is_init_round;
    call memory_update_go(true);
    atomic_end;
    call flush_rounds;
    odd: skip;
    do {
      atomic_begin;
      call is_init_round;
      t_arrived = view_arrived;
      atomic_end;
      call flush_rounds;
    } while (t_arrived) {
      skip;
    }
    atomic_begin;
    call is_init_round;
    call memory_update_go(false);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

process Loser {
  bool t_go;
  me = 2;
  while (true) {
    even: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_arrived(true);
    atomic_end;
    call flush_rounds;
    do {
      atomic_begin;
      call is_init_round;
      t_go = view_go;
      atomic_end;
      call flush_rounds;
    } while (!t_go) {
      skip;
    }
    odd: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_arrived(false);
    atomic_end;
    call flush_rounds;
    do {
      atomic_begin;
      call is_init_round;
      t_go = view_go;
      atomic_end;
      call flush_rounds;
    } while (t_go) {
      skip;
    }
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_arrived = arrived;
  view_go = go;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_arrived[r_SC]) {
    arrived = queue_arrived[r_SC];
    mask_arrived[r_SC] = false;
    queue_arrived[r_SC] = false;
  } else {
    if (!mask_arrived[0] && !mask_arrived[1]) {
      view_arrived = arrived;
    }
  }
  if (mask_go[r_SC]) {
    go = queue_go[r_SC];
    mask_go[r_SC] = false;
    queue_go[r_SC] = false;
  } else {
    if (!mask_go[0] && !mask_go[1]) {
      view_go = go;
    }
  }
}

procedure is_init_round {
  int<0..2> previous;
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

procedure memory_update_arrived(bool g) {
  int<0..1> n;
  view_arrived = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    arrived = g;
  } else {
    mask_arrived[r_TSO] = true;
    queue_arrived[r_TSO] = g;
  }
}

procedure memory_update_go(bool g) {
  int<0..1> n;
  view_go = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    go = g;
  } else {
    mask_go[r_TSO] = true;
    queue_go[r_TSO] = g;
  }
}

forbid Winner@even, Loser@odd;
forbid Winner@odd, Loser@even;
