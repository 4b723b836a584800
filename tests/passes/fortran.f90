! A triad in Fortran: its loop is charged as a whole, and the program links and runs natively.
! RUN: %fc -O2 -S -emit-llvm %s -o - | %check %s
! RUN: %fc -O2 %s -o %t && %t | %check --check-prefix=OUTPUT %s
! CHECK: @kumi_work = weak_odr thread_local
! CHECK: define {{.*}}triad
! CHECK: mul i64
! CHECK: vector.body{{.*}}:
! OUTPUT: 1500500.0
subroutine triad(a, b, c, n)
  integer, intent(in) :: n
  real(8), intent(out) :: a(n)
  real(8), intent(in) :: b(n), c(n)
  integer :: i
  do i = 1, n
    a(i) = b(i) + 2.0d0 * c(i)
  end do
end subroutine

program main
  real(8) :: a(1000), b(1000), c(1000)
  integer :: i
  do i = 1, 1000
    b(i) = i
    c(i) = i
  end do
  call triad(a, b, c, 1000)
  print '(F12.1)', sum(a) - 1000.0d0
end program
