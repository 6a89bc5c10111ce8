// Lamport's bakery, N threads, repeated entry, no fences and no property: every state counts.
// Tickets are bounded: a thread in the doorway waits while the highest ticket is out.
// The others are looked at from me + 1 on: each round of a loop has a shared access, as in
// bakery.pml, the program for SPIN.
// scripts/bench explicit sets N.

const N = 3;
shared bool choosing[N];
shared int<0..N> number[N];            // 0: no ticket; N: the highest

process P(int<0..N-1> me) {
  int<0..N> ticket;
  int<0..N> seen;
  int<0..N> k;
  while (true) {
    choosing[me] = true;
    do {                               // wait while the tickets are used up
      ticket = 0;
      k = 1;
      do {
        seen = number[(me + k) % N];
        if (seen > ticket) ticket = seen;
        k = k + 1;
      } while (k < N);
    } while (ticket == N);
    ticket = ticket + 1;
    number[me] = ticket;
    choosing[me] = false;
    k = 1;
    do {
      while (choosing[(me + k) % N]) skip;
      do {
        seen = number[(me + k) % N];
      } while (seen != 0 && (seen < ticket || (seen == ticket && (me + k) % N < me)));
      k = k + 1;
    } while (k < N);
    cs: number[me] = 0;
  }
}
