// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..5> message;
shared int<0..1> ack;
shared int<0..2> last;
thread int<0..2> me;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..5> view_message;
thread bool mask_message[2];
thread int<0..5> queue_message[2];
thread int<0..1> view_ack;
thread bool mask_ack[2];
thread int<0..1> queue_ack[2];

process Sender {
  int<0..2> item;
  int<0..1> bit = 1;
  int<0..1> t_ack;
  me = 1;
  while (true) {
    do {
      atomic_begin;
      call is_init_round;
      call memory_update_message(2 * item + bit);
      atomic_end;
      call flush_rounds;
      atomic_begin;
      call is_init_round;
      t_ack = view_ack;
      atomic_end;
      call flush_rounds;
    } while (t_ack != bit);
    item = (item + 1) % 3;
    bit = 1 - bit;
  }
  assume(r_TSO == r_SC);
}

process Receiver {
  int<0..2> next;
  int<0..1> bit = 1;
  int<0..5> m;
  me = 2;
  while (true) {
    atomic_begin;
    call is_init_round;
    m = view_message;
    atomic_end;
    call flush_rounds;
    if (m % 2 == bit) {
      assert(m / 2 == next);
      next = (next + 1) % 3;
      bit = 1 - bit;
    }
    atomic_begin;
    call is_init_round;
    call memory_update_ack(m % 2);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_message = message;
  view_ack = ack;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_message[r_SC]) {
    message = queue_message[r_SC];
    mask_message[r_SC] = false;
    queue_message[r_SC] = 0;
  } else {
    if (!mask_message[0] && !mask_message[1]) {
      view_message = message;
    }
  }
  if (mask_ack[r_SC]) {
    ack = queue_ack[r_SC];
    mask_ack[r_SC] = false;
    queue_ack[r_SC] = 0;
  } else {
    if (!mask_ack[0] && !mask_ack[1]) {
      view_ack = ack;
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

procedure memory_update_message(int<0..5> g) {
  int<0..1> n;
  view_message = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    message = g;
  } else {
    mask_message[r_TSO] = true;
    queue_message[r_TSO] = g;
  }
}

procedure memory_update_ack(int<0..1> g) {
  int<0..1> n;
  view_ack = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    ack = g;
  } else {
    mask_ack[r_TSO] = true;
    queue_ack[r_TSO] = g;
  }
}
