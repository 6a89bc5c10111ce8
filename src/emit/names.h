#pragma once
// Names that C accepts: every variable and procedure of a program gets one, its own if possible.

#include "ir/program.h"

#include <set>
#include <string>
#include <vector>

namespace weir::emit {

class Names {
public:
  explicit Names(const ir::Program& program);

  const std::string& operator[](ir::SharedId id) const { return shared_[id.value]; }
  const std::string& operator[](ir::LocalId id) const { return locals_[id.value]; }
  const std::string& operator[](ir::ProcedureId id) const { return procedures_[id.value]; }
  /// A name that nothing else has.
  std::string fresh(const std::string& wish);

private:
  std::set<std::string> taken_;
  std::vector<std::string> shared_, locals_, procedures_;
};

/// A label; labels have a space of their own in C.
std::string label_name(const std::string& name, std::uint32_t number);

} // namespace weir::emit
