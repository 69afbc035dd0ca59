# two nested regions whose joins are reached in the wrong order by some threads:
# inner join with the outer token in front and the other way round
_start: la s1, out
  slli t0, a0, 2
  add s1, s1, t0
  ssy outer
  andi t0, a0, 1
  beqz t0, 1f
  ssy inner
  andi t1, a0, 2
  beqz t1, 2f
  addi s0, s0, 3
  sync inner
2: addi s0, s0, 5
  andi t2, a0, 4
  sync.nez t2, outer
  sync inner
inner: addi s0, s0, 11
  sync outer
1: addi s0, s0, 17
  andi t1, a0, 8
  sync.eqz t1, outer
  j inner
outer: sw s0, 0(s1)
  exit
  .data
out: .zero 4096
