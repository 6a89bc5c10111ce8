// A scheduler hands tasks to two workers in turn; at most one works at a time. No fences.
// The paper does not print it: this is Weir's own reconstruction from the name and the size.
// From: TACAS 2012 Table 1, row 11.
// expect: sc=safe tso=safe pso=safe@buffer=6
// why: the scheduler moves on only after it has seen the end of the task; it repeats its
//      announcement without bound, but its stores stay in order
// Try:  scripts/weir check examples/task_scheduling.cp

shared int<0..2> task = 0, done = 0;   // 0: none yet

process Scheduler {
  int<1..2> next = 1;
  while (true) {
    do {
      task = next;                     // announced again until it is done
    } while (done != next);
    next = 3 - next;
  }
}

process Worker(int<1..2> me) {
  while (true) {
    while (task != me) skip;
    work: skip;
    done = me;
    while (task == me) skip;
  }
}

forbid Worker@work, Worker@work;
