// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared bool flag[2];
shared int<0..1> turn;
shared int<0..2> last;
thread int<0..2> me_;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread bool view_flag[2];
thread bool mask_flag[2][2];
thread bool queue_flag[2][2];
thread int<0..1> view_turn;
thread bool mask_turn[2];
thread int<0..1> queue_turn[2];

process P(int<0..1> me) {
  bool t_flag;
  int<0..1> t_turn;
  if (me == 0) {
    me_ = 1;
  } else {
    me_ = 2;
  }
  while (true) {
    atomic_begin;
    call is_init_round;
    call memory_update_flag(me, true);
    atomic_end;
    call flush_rounds;
    do {
      atomic_begin;
      call is_init_round;
      t_flag = view_flag[1 - me];
      atomic_end;
      call flush_rounds;
    } while (t_flag) {
      atomic_begin;
      call is_init_round;
      t_turn = view_turn;
      atomic_end;
      call flush_rounds;
      if (t_turn != me) {
        atomic_begin;
        call is_init_round;
        call memory_update_flag(me, false);
        atomic_end;
        call flush_rounds;
        do {
          atomic_begin;
          call is_init_round;
          t_turn = view_turn;
          atomic_end;
          call flush_rounds;
        } while (t_turn != me) {
          skip;
        }
        atomic_begin;
        call is_init_round;
        call memory_update_flag(me, true);
        atomic_end;
        call flush_rounds;
      }
    }
    cs: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_turn(1 - me);
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call memory_update_flag(me, false);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_flag[0] = flag[0];
  view_flag[1] = flag[1];
  view_turn = turn;
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_flag[r_SC][0]) {
    flag[0] = queue_flag[r_SC][0];
    mask_flag[r_SC][0] = false;
    queue_flag[r_SC][0] = false;
  } else {
    if (!mask_flag[0][0] && !mask_flag[1][0]) {
      view_flag[0] = flag[0];
    }
  }
  if (mask_flag[r_SC][1]) {
    flag[1] = queue_flag[r_SC][1];
    mask_flag[r_SC][1] = false;
    queue_flag[r_SC][1] = false;
  } else {
    if (!mask_flag[0][1] && !mask_flag[1][1]) {
      view_flag[1] = flag[1];
    }
  }
  if (mask_turn[r_SC]) {
    turn = queue_turn[r_SC];
    mask_turn[r_SC] = false;
    queue_turn[r_SC] = 0;
  } else {
    if (!mask_turn[0] && !mask_turn[1]) {
      view_turn = turn;
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

procedure memory_update_flag(int<0..1> i0, bool g) {
  int<0..1> n;
  view_flag[i0] = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    flag[i0] = g;
  } else {
    mask_flag[r_TSO][i0] = true;
    queue_flag[r_TSO][i0] = g;
  }
}

procedure memory_update_turn(int<0..1> g) {
  int<0..1> n;
  view_turn = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    turn = g;
  } else {
    mask_turn[r_TSO] = true;
    queue_turn[r_TSO] = g;
  }
}

forbid P@cs, P@cs;
