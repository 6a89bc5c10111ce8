/* bakery.cp for SPIN, with tso.pml: spin -a -DN=3 -DB=3 bakery.pml */

#define CELLS (2 * N)
#include "tso.pml"

#define CHOOSING(i) (i)
#define NUMBER(i) (N + (i))
#define OTHER ((me + k) % N)
#define HIGHEST (LOAD(NUMBER(OTHER)) > ticket -> LOAD(NUMBER(OTHER)) : ticket)
#define FIRST (LOAD(NUMBER(OTHER)) != 0 && LOAD(NUMBER(OTHER)) < ticket + (OTHER < me))

active [N] proctype P() {
  byte ticket, k;
  do
  :: d_step { ROOM -> PUT(CHOOSING(me), 1); k = 1 };
     FENCE
     do /* wait while the tickets are used up */
     :: d_step { k < N - 1 -> ticket = HIGHEST; k++ }
     :: d_step { k == N - 1 && HIGHEST == N -> ticket = 0; k = 1 }
     :: d_step { k == N - 1 && HIGHEST < N -> ticket = HIGHEST + 1; k = 0 }; break
     od;
     if /* for SPIN: a break may not lead straight to a d_step */
     :: d_step { ROOM -> PUT(NUMBER(me), ticket) }
     fi;
     FENCE
     d_step { ROOM -> PUT(CHOOSING(me), 0); k = 1 };
     do
     :: k > 0 && LOAD(CHOOSING(OTHER)) == 1
     :: k > 0 && LOAD(CHOOSING(OTHER)) == 0 ->
        do
        :: FIRST
        :: d_step { !FIRST -> k = (k + 1) % N; if :: k == 0 -> ticket = 0; ENTER :: else fi }; break
        od
     :: d_step { k == 0 && ROOM -> PUT(NUMBER(me), 0); LEAVE }; break
     od
  od
}
