shared int x
process P {
  x = ;
  if x == 1 skip;
  x := 2;
}
