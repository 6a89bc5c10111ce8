// The ticket lock of Linux, three threads, repeated entry, no fences.
// Tickets are finite here: they are counted modulo 4, which is more than there are threads.
// From: N. Piggin, the ticket spinlocks of Linux 2.6.25; SAS 2012 Table 1, row 8.
// expect: sc=safe tso=safe pso=safe
// why: taking a ticket is a locked instruction, and only the holder stores to serving: a late
//      store only delays the next
// Try:  scripts/weir check examples/ticket_lock3.cp

const N = 3;
const TICKETS = 4;
shared int<0..TICKETS-1> next = 0, serving = 0;

process P(int<0..N-1> me) {
  int<0..TICKETS-1> ticket;
  while (true) {
    atomic {                           // one locked fetch-and-add
      ticket = next;
      next = (ticket + 1) % TICKETS;
    }
    while (serving != ticket) skip;
    cs: skip;
    serving = (ticket + 1) % TICKETS;  // a plain store: only the holder writes it
  }
}

forbid P@cs, P@cs;
