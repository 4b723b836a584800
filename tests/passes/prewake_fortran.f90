! The same in Fortran: a loop ahead of a broadcast is split, each call is reported once, and the
! program prints what it prints without.
! RUN: %fc --no-count -O2 %s -o %t.plain && %t.plain > %t.expected
! RUN: %check --check-prefix=OUTPUT --input-file=%t.expected %s
! RUN: %fc --prewake -O2 %s -o %t.2 2> %t.2.list && %t.2 | diff %t.expected -
! RUN: %check --input-file=%t.2.list %s
! RUN: %fc --prewake -O0 %s -o %t.0 2> %t.0.list && %t.0 | diff %t.expected -
! RUN: %check --check-prefix=UNOPTIMISED --input-file=%t.0.list %s
! CHECK: prewake_fortran.f90:22: MPI_Bcast: woken in the loop prewake_fortran.f90:20 (split){{.*}}
! CHECK-NOT: {{.}}
! UNOPTIMISED: prewake_fortran.f90:22: MPI_Bcast: woken in the loop prewake_fortran.f90:19 (counted){{.*}}
! UNOPTIMISED-NOT: {{.}}
! OUTPUT: {{^ *}}1501.5000
subroutine step(a, n)
  include 'mpif.h'
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i, error
  do i = 1, n
    a(i) = a(i) * 0.5d0 + i
  end do
  call mpi_bcast(a, n, mpi_double_precision, 0, mpi_comm_world, error)
end subroutine

program main
  include 'mpif.h'
  real(8) :: a(1000)
  integer :: error
  call mpi_init(error)
  a = 2.0d0
  call step(a, 1000)
  call step(a, 1000)
  print '(F12.4)', a(1000) + a(1) / 2
  call mpi_finalize(error)
end program
