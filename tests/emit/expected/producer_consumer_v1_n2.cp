// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..2> cell[2];
shared int<0..2> count;
shared int<0..2> last;
thread int<0..2> me;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..2> view_cell[2];
thread bool mask_cell[2][2];
thread int<0..2> queue_cell[2][2];
thread int<0..2> view_count;
thread bool mask_count[2];
thread int<0..2> queue_count[2];

process Producer {
  int<0..2> item;
  int<0..1> in;
  int<0..2> t_count;
  me = 1;
  while (true) {
    do {
      atomic_begin;
      call is_init_round;
      t_count = view_count;
      atomic_end;
      call flush_rounds;
    } while (t_count == 2) {
      skip;
    }
    atomic_begin;
    call is_init_round;
    call memory_update_cell(in, item);
    atomic_end;
    call flush_rounds;
    in = (in + 1) % 2;
    item = (item + 1) % 3;
    atomic_begin;
    call is_init_round;
    t_count = view_count;
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call memory_update_count(t_count + 1);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

process Consumer {
  int<0..2> item;
  int<0..2> next;
  int<0..1> out;
  int<0..2> t_count;
  me = 2;
  while (true) {
    do {
      atomic_begin;
      call is_init_round;
      t_count = view_count;
      atomic_end;
      call flush_rounds;
    } while (t_count == 0) {
      skip;
    }
    atomic_begin;
    call is_init_round;
    item = view_cell[out];
    atomic_end;
    call flush_rounds;
    assert(item == next);
    out = (out + 1) % 2;
    next = (next + 1) % 3;
    atomic_begin;
    call is_init_round;
    t_count = view_count;
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call memory_update_count(t_count - 1);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_cell[0] = cell[0];
  view_cell[1] = cell[1];
  view_count = count;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_cell[r_SC][0]) {
    cell[0] = queue_cell[r_SC][0];
    mask_cell[r_SC][0] = false;
    queue_cell[r_SC][0] = 0;
  } else {
    if (!mask_cell[0][0] && !mask_cell[1][0]) {
      view_cell[0] = cell[0];
    }
  }
  if (mask_cell[r_SC][1]) {
    cell[1] = queue_cell[r_SC][1];
    mask_cell[r_SC][1] = false;
    queue_cell[r_SC][1] = 0;
  } else {
    if (!mask_cell[0][1] && !mask_cell[1][1]) {
      view_cell[1] = cell[1];
    }
  }
  if (mask_count[r_SC]) {
    count = queue_count[r_SC];
    mask_count[r_SC] = false;
    queue_count[r_SC] = 0;
  } else {
    if (!mask_count[0] && !mask_count[1]) {
      view_count = count;
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

procedure memory_update_cell(int<0..1> i0, int<0..2> g) {
  int<0..1> n;
  view_cell[i0] = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    cell[i0] = g;
  } else {
    mask_cell[r_TSO][i0] = true;
    queue_cell[r_TSO][i0] = g;
  }
}

procedure memory_update_count(int<0..2> g) {
  int<0..1> n;
  view_count = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    count = g;
  } else {
    mask_count[r_TSO] = true;
    queue_count[r_TSO] = g;
  }
}
