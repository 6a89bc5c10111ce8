// The tournament barrier for two threads, for ever, no fences.
// The paper does not print it: this is Weir's own reconstruction from the name and the size.
// No thread is in an odd phase while another is in an even one.
// From: D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier synchronization, IJPP 1988;
//       TACAS 2012 Table 1, row 10.
// expect: sc=safe tso=safe pso=safe
// why: each thread writes one variable and then waits for the answer, so that nothing can overtake
//      anything
// Try:  scripts/weir check examples/tournament_barrier.cp

shared bool arrived = false, go = false;

process Winner {
  while (true) {
    even: skip;
    while (!arrived) skip;
    go = true;
    odd: skip;
    while (arrived) skip;
    go = false;
  }
}

process Loser {
  while (true) {
    even: skip;
    arrived = true;
    while (!go) skip;
    odd: skip;
    arrived = false;
    while (go) skip;
  }
}

forbid Winner@even, Loser@odd;
forbid Winner@odd, Loser@even;
