/* peterson.cp for SPIN, with tso.pml: spin -a -DN=3 -DB=3 peterson.pml */

#define CELLS (2 * N - 1)
#include "tso.pml"

#define LEVEL(i) (i)
#define LAST(l) (N + (l) - 1)
#define OTHER ((me + k) % N)
#define UP l++; if :: l == N -> ENTER :: else fi

active [N] proctype P() {
  byte l = 1, k;
  do
  :: d_step { l < N && ROOM -> PUT(LEVEL(me), l) };
     d_step { ROOM -> PUT(LAST(l), me); k = 1 };
     FENCE
     do
     :: d_step { LOAD(LEVEL(OTHER)) >= l -> k = 0 };
        if
        :: d_step { LOAD(LAST(l)) == me -> k = 1 }
        :: d_step { LOAD(LAST(l)) != me -> UP }; break
        fi
     :: d_step { k < N - 1 && LOAD(LEVEL(OTHER)) < l -> k++ }
     :: d_step { k == N - 1 && LOAD(LEVEL(OTHER)) < l -> k = 0; UP }; break
     od
  :: d_step { l == N && ROOM -> PUT(LEVEL(me), 0); l = 1; LEAVE }
  od
}
