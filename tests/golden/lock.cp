// A lock that is taken without a locked instruction.
shared bool taken;
process P(int<0..1> me) {
  while (taken) skip;
  taken = true;
  critical: skip;
  taken = false;
}
forbid P@critical, P@critical;
