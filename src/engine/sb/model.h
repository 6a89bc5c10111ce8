#pragma once
// The automata as the search needs them: transitions by where they lead to, what covers what, and
// values that cannot occur.
//
// A *place* of a thread is a state, or a group less its members that hold a section: a thread at
// such a member is a target of its own (see targets.h). Everything is worked out from the transitions
// between states and the members of groups; the listed transitions into groups are not used.

#include "engine/sb/constraint.h"

namespace weir::engine::sb {

class Model {
public:
  /// `automata` must outlive this.
  explicit Model(const lower::Automata& automata);

  const lower::Automata& automata;
  Sets sets;
  std::vector<Sets::Id> full; ///< by variable: all values that it can ever have

  /// Indices of transitions of p into the place that need to be looked at: into a group, not those
  /// from inside that write nothing.
  const std::vector<std::uint32_t>& into(ThreadIndex p, StateIndex place) const {
    return threads_[p].into[place];
  }
  /// The places of p that include this one, itself among them.
  const std::vector<StateIndex>& covering(ThreadIndex p, StateIndex place) const {
    return threads_[p].covering[place];
  }
  bool is_initial(ThreadIndex p, StateIndex place) const { return threads_[p].initial[place]; }
  /// Values that the newest pending store of p to x can have when p is in this state.
  const ValueSet& pending(ThreadIndex p, StateIndex state, VariableIndex x) const {
    return threads_[p].pending[state][x];
  }
  bool has_states(ThreadIndex p, StateIndex place) const; ///< no group of holding states only
  bool is_initial(const Constraint& constraint) const;
  /// Bits of what a constraint asks for: those of a constraint are among those of what it includes.
  std::uint64_t signature(const Constraint& constraint) const;

private:
  struct Thread {
    std::vector<std::vector<bool>> members;        ///< by place, then state
    std::vector<bool> initial;                     ///< by place
    std::vector<bool> reached;                     ///< by state: perhaps reachable
    std::vector<std::vector<std::uint32_t>> into;  ///< by place
    std::vector<std::vector<StateIndex>> covering; ///< by place
    std::vector<std::vector<ValueSet>> pending;    ///< by state, then variable
  };

  void set_up_members(ThreadIndex p);
  void find_values();
  bool spread_values(ThreadIndex p, std::vector<ValueSet>& possible);
  void find_pending(ThreadIndex p);
  bool spread_pending(Thread& thread, const lower::Transition& t);
  void find_into(ThreadIndex p);
  void find_covering(ThreadIndex p);
  bool may_happen(const Thread& thread, const lower::Transition& t,
                  const std::vector<ValueSet>& possible) const;

  std::vector<Thread> threads_;
};

} // namespace weir::engine::sb
