// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..2> task;
shared int<0..2> done;
shared int<0..3> last;
thread int<0..3> me_;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..2> view_task;
thread bool mask_task[2];
thread int<0..2> queue_task[2];
thread int<0..2> view_done;
thread bool mask_done[2];
thread int<0..2> queue_done[2];

process Scheduler {
  int<1..2> next = 1;
  int<0..2> t_done;
  me_ = 1;
  while (true) {
    do {
      atomic_begin;
      call is_init_round;
      call memory_update_task(next);
      atomic_end;
      call flush_rounds;
      atomic_begin;
      call is_init_round;
      t_done = view_done;
      atomic_end;
      call flush_rounds;
    } while (t_done != next);
    next = 3 - next;
  }
  assume(r_TSO == r_SC);
}

process Worker(int<1..2> me) {
  int<0..2> t_task;
  if (me == 1) {
    me_ = 2;
  } else {
    me_ = 3;
  }
  while (true) {
    do {
      atomic_begin;
      call is_init_round;
      t_task = view_task;
      atomic_end;
      call flush_rounds;
    } while (t_task != me) {
      skip;
    }
    work: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_done(me);
    atomic_end;
    call flush_rounds;
    do {
      atomic_begin;
      call is_init_round;
      t_task = view_task;
      atomic_end;
      call flush_rounds;
    } while (t_task == me) {
      skip;
    }
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_task = task;
  view_done = done;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_task[r_SC]) {
    task = queue_task[r_SC];
    mask_task[r_SC] = false;
    queue_task[r_SC] = 0;
  } else {
    if (!mask_task[0] && !mask_task[1]) {
      view_task = task;
    }
  }
  if (mask_done[r_SC]) {
    done = queue_done[r_SC];
    mask_done[r_SC] = false;
    queue_done[r_SC] = 0;
  } else {
    if (!mask_done[0] && !mask_done[1]) {
      view_done = done;
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

procedure memory_update_task(int<0..2> g) {
  int<0..1> n;
  view_task = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    task = g;
  } else {
    mask_task[r_TSO] = true;
    queue_task[r_TSO] = g;
  }
}

procedure memory_update_done(int<0..2> g) {
  int<0..1> n;
  view_done = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    done = g;
  } else {
    mask_done[r_TSO] = true;
    queue_done[r_TSO] = g;
  }
}

forbid Worker@work, Worker@work;
