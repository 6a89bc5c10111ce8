// The centralised sense-reversing barrier, two threads, for ever, one fence, enough for PSO.
// No thread is in an odd phase while another is in an even one.
// From: J. Mellor-Crummey, M. L. Scott, Algorithms for scalable synchronization, TOCS 1991; TACAS
//       2012 Table 1, row 7; PLDI 2011 Sense0 and Sense1.
// expect: sc=safe tso=safe pso=safe
// why: the fence keeps the opening of the barrier behind the reset of the counter
// Try:  scripts/weir check examples/sense_barrier_fenced_pso.cp

const N = 2;
shared int<0..N> missing = N;
shared bool sense = false;

process P(int<0..N-1> me) {
  bool mine = false;
  int<0..N> m;
  while (true) {
    mine = !mine;
    if (mine) { odd: skip; } else { even: skip; }
    do {                               // fetch and decrement
      m = missing;
    } while (!cas(missing, m, m - 1));
    if (m == 1) {                      // the last to arrive opens the barrier
      missing = N;
      fence;
      sense = mine;
    } else {
      while (sense != mine) skip;
    }
  }
}

forbid P@odd, P@even;
