/* x86-TSO for the Promela models here: N threads, each with a store buffer of at most B entries
   (1 to 3) and a process that flushes it. A store waits while the buffer is full; a load sees the
   newest own pending store to the cell, else memory. Up to 31 cells, values 0..7.

   As in Weir one step of a thread is one transition, a d_step: a load, store or fence with the
   local computation up to the next one, and variables that are not read again become 0. An entry
   is 8 * (cell + 1) + value; 0 is no entry, so that nothing beyond the newest one tells two states
   apart. The states are therefore those Weir counts, and equally many (SPIN counts one transition
   more: the start); scripts/bench explicit compares.

   -DMUTEX asserts mutual exclusion, -DFENCES adds the fences that make it hold. */

typedef Buffer { byte size; byte entry[B] }
Buffer buffer[N];
byte memory[CELLS];

#define its buffer[_pid]

active [N] proctype Flush() {
  do
  :: d_step {
       its.size > 0 -> memory[(its.entry[0] >> 3) - 1] = its.entry[0] & 7;
#if B > 1
       its.entry[0] = its.entry[1];
#endif
#if B > 2
       its.entry[1] = its.entry[2];
#endif
       its.entry[B - 1] = 0;
       its.size--
     }
  od
}

/* For the threads: processes N to 2N-1, numbered by `me`. */
#define me (_pid - N)
#define own buffer[me]

/* A store is d_step { ROOM -> PUT(cell, value) }: what may wait comes first in a d_step. */
#define ROOM (own.size < B)
#define PUT(cell, value) own.entry[own.size] = ((cell) + 1) << 3 | (value); own.size++

#define SEEN(i, cell, else) ((own.entry[i] >> 3) == (cell) + 1 -> own.entry[i] & 7 : else)
#if B == 1
#define LOAD(cell) SEEN(0, cell, memory[cell])
#elif B == 2
#define LOAD(cell) SEEN(1, cell, SEEN(0, cell, memory[cell]))
#else
#define LOAD(cell) SEEN(2, cell, SEEN(1, cell, SEEN(0, cell, memory[cell])))
#endif

#ifdef FENCES
#define FENCE own.size == 0;
#else
#define FENCE
#endif

#ifdef MUTEX
byte inside;
#define ENTER inside++; assert(inside == 1)
#define LEAVE inside--
#else
#define ENTER skip
#define LEAVE skip
#endif
