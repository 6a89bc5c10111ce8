// Its SC runs are the TSO runs of the source with at most 2 rounds per thread (--bound rounds -k 1).
// Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,
// mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,
// r_TSO the one in which the next store reaches memory. One atomic section per visible
// statement; a round begins when another thread has run since (last).

shared bool choosing[3];
shared int<0..3> number[3];
shared int<0..3> last;
thread int<0..3> me_;
thread bool started;
thread int<0..1> r_SC;
thread int<0..1> r_TSO;
thread bool view_choosing[3];
thread bool mask_choosing[2][3];
thread bool queue_choosing[2][3];
thread int<0..3> view_number[3];
thread bool mask_number[2][3];
thread int<0..3> queue_number[2][3];

process P(int<0..2> me) {
  int<0..3> highest;
  int<0..3> seen;
  int<0..3> j;
  int<0..3> ticket;
  bool t_choosing;
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
    call memory_update_choosing(me, true);
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call fence_buffer;
    atomic_end;
    highest = 0;
    seen = 0;
    j = 0;
    do {
      highest = 0;
      j = 0;
      while (j < 3) {
        if (j != me) {
          atomic_begin;
          call is_init_round;
          seen = view_number[j];
          atomic_end;
          call flush_rounds;
          if (seen > highest) {
            highest = seen;
          }
        }
        j = j + 1;
      }
    } while (highest == 3);
    ticket = highest + 1;
    atomic_begin;
    call is_init_round;
    call memory_update_number(me, ticket);
    atomic_end;
    call flush_rounds;
    atomic_begin;
    call is_init_round;
    call fence_buffer;
    atomic_end;
    atomic_begin;
    call is_init_round;
    call memory_update_choosing(me, false);
    atomic_end;
    call flush_rounds;
    j = 0;
    while (j < 3) {
      if (j != me) {
        do {
          atomic_begin;
          call is_init_round;
          t_choosing = view_choosing[j];
          atomic_end;
          call flush_rounds;
        } while (t_choosing) {
          skip;
        }
        do {
          atomic_begin;
          call is_init_round;
          seen = view_number[j];
          atomic_end;
          call flush_rounds;
        } while (seen != 0 && (seen < ticket || seen == ticket && j < me));
      }
      j = j + 1;
    }
    cs: skip;
    atomic_begin;
    call is_init_round;
    call memory_update_number(me, 0);
    atomic_end;
    call flush_rounds;
  }
  assume(r_TSO == r_SC);
}

procedure init_thread {
  r_SC = 0;
  r_TSO = 0;
  view_choosing[0] = choosing[0];
  view_choosing[1] = choosing[1];
  view_choosing[2] = choosing[2];
  view_number[0] = number[0];
  view_number[1] = number[1];
  view_number[2] = number[2];
}

procedure init_round {
  assume(r_SC < 1);
  if (r_TSO == r_SC) {
    r_TSO = r_TSO + 1;
  }
  r_SC = r_SC + 1;
  if (mask_choosing[r_SC][0]) {
    choosing[0] = queue_choosing[r_SC][0];
    mask_choosing[r_SC][0] = false;
    queue_choosing[r_SC][0] = false;
  } else {
    if (!mask_choosing[0][0] && !mask_choosing[1][0]) {
      view_choosing[0] = choosing[0];
    }
  }
  if (mask_choosing[r_SC][1]) {
    choosing[1] = queue_choosing[r_SC][1];
    mask_choosing[r_SC][1] = false;
    queue_choosing[r_SC][1] = false;
  } else {
    if (!mask_choosing[0][1] && !mask_choosing[1][1]) {
      view_choosing[1] = choosing[1];
    }
  }
  if (mask_choosing[r_SC][2]) {
    choosing[2] = queue_choosing[r_SC][2];
    mask_choosing[r_SC][2] = false;
    queue_choosing[r_SC][2] = false;
  } else {
    if (!mask_choosing[0][2] && !mask_choosing[1][2]) {
      view_choosing[2] = choosing[2];
    }
  }
  if (mask_number[r_SC][0]) {
    number[0] = queue_number[r_SC][0];
    mask_number[r_SC][0] = false;
    queue_number[r_SC][0] = 0;
  } else {
    if (!mask_number[0][0] && !mask_number[1][0]) {
      view_number[0] = number[0];
    }
  }
  if (mask_number[r_SC][1]) {
    number[1] = queue_number[r_SC][1];
    mask_number[r_SC][1] = false;
    queue_number[r_SC][1] = 0;
  } else {
    if (!mask_number[0][1] && !mask_number[1][1]) {
      view_number[1] = number[1];
    }
  }
  if (mask_number[r_SC][2]) {
    number[2] = queue_number[r_SC][2];
    mask_number[r_SC][2] = false;
    queue_number[r_SC][2] = 0;
  } else {
    if (!mask_number[0][2] && !mask_number[1][2]) {
      view_number[2] = number[2];
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

procedure memory_update_choosing(int<0..2> i0, bool g) {
  int<0..1> n;
  view_choosing[i0] = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    choosing[i0] = g;
  } else {
    mask_choosing[r_TSO][i0] = true;
    queue_choosing[r_TSO][i0] = g;
  }
}

procedure memory_update_number(int<0..2> i0, int<0..3> g) {
  int<0..1> n;
  view_number[i0] = g;
  n = *;
  assume(n >= r_TSO);
  r_TSO = n;
  if (r_TSO == r_SC) {
    number[i0] = g;
  } else {
    mask_number[r_TSO][i0] = true;
    queue_number[r_TSO][i0] = g;
  }
}

forbid P@cs, P@cs;
