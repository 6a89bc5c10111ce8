// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared int<0..2> level[3];
shared int<0..2> last[3];
shared int<0..3> last_;
thread int<0..3> me_;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread int<0..2> view_level[3];
thread bool mask_level[2][3];
thread int<0..2> queue_level[2][3];
thread int<0..2> view_last[3];
thread bool mask_last[2][3];
thread int<0..2> queue_last[2][3];

process P(int<0..2> me) {
  int<1..3> l = 1;
  int<0..3> j;
  bool wait;
  int<0..2> t_level;
  int<0..2> t_last;
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
    l = 1;
    while (l < 3) {
      atomic_begin;
      call is_init_round;
      call memory_update_level(me, l);
      atomic_end;
      call flush_rounds;
      atomic_begin;
      call is_init_round;
      call memory_update_last(l, me);
      atomic_end;
      call flush_rounds;
      do {
        wait = false;
        j = 0;
        while (j < 3 && !wait) {
          if (j != me) {
            atomic_begin;
            call is_init_round;
            t_level = view_level[j];
            atomic_end;
            call flush_rounds;
            wait = t_level >= l;
          }
          j = j + 1;
        }
        if (wait) {
          atomic_begin;
          call is_init_round;
          t_last = view_last[l];
          atomic_end;
          call flush_rounds;
          wait = t_last == me;
        }
      } while (wait);
      l = l + 1;
    }
    cs: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_level(me, 0);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_level[0] = level[0];
  view_level[1] = level[1];
  view_level[2] = level[2];
  view_last[0] = last[0];
  view_last[1] = last[1];
  view_last[2] = last[2];
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_level[r_SC][0]) {
    level[0] = queue_level[r_SC][0];
    mask_level[r_SC][0] = false;
    queue_level[r_SC][0] = 0;
  } else {
    if (!mask_level[0][0] && !mask_level[1][0]) {
      view_level[0] = level[0];
    }
  }
  if (mask_level[r_SC][1]) {
    level[1] = queue_level[r_SC][1];
    mask_level[r_SC][1] = false;
    queue_level[r_SC][1] = 0;
  } else {
    if (!mask_level[0][1] && !mask_level[1][1]) {
      view_level[1] = level[1];
    }
  }
  if (mask_level[r_SC][2]) {
    level[2] = queue_level[r_SC][2];
    mask_level[r_SC][2] = false;
    queue_level[r_SC][2] = 0;
  } else {
    if (!mask_level[0][2] && !mask_level[1][2]) {
      view_level[2] = level[2];
    }
  }
  if (mask_last[r_SC][0]) {
    last[0] = queue_last[r_SC][0];
    mask_last[r_SC][0] = false;
    queue_last[r_SC][0] = 0;
  } else {
    if (!mask_last[0][0] && !mask_last[1][0]) {
      view_last[0] = last[0];
    }
  }
  if (mask_last[r_SC][1]) {
    last[1] = queue_last[r_SC][1];
    mask_last[r_SC][1] = false;
    queue_last[r_SC][1] = 0;
  } else {
    if (!mask_last[0][1] && !mask_last[1][1]) {
      view_last[1] = last[1];
    }
  }
  if (mask_last[r_SC][2]) {
    last[2] = queue_last[r_SC][2];
    mask_last[r_SC][2] = false;
    queue_last[r_SC][2] = 0;
  } else {
    if (!mask_last[0][2] && !mask_last[1][2]) {
      view_last[2] = last[2];
    }
  }
}

procedure is_init_round {
  int<0..3> previous;
  if (started) {
    previous = last_;
    if (previous != me_) {
      last_ = me_;
      call init_round;
    }
  } else {
    started = true;
    last_ = me_;
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

procedure memory_update_level(int<0..2> i0, int<0..2> g) {
  int<0..1> n;
  view_level[i0] = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    level[i0] = g;
  } else {
    mask_level[r_TSO][i0] = true;
    queue_level[r_TSO][i0] = g;
  }
}

procedure memory_update_last(int<0..2> i0, int<0..2> g) {
  int<0..1> n;
  view_last[i0] = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    last[i0] = g;
  } else {
    mask_last[r_TSO][i0] = true;
    queue_last[r_TSO][i0] = g;
  }
}

forbid P@cs, P@cs;
