! The same in Fortran: a loop ahead of a broadcast is split; the program's result stays.
! RUN: %fc --prewake -O2 %s -o %t 2> %t.list
! RUN: %check --input-file=%t.list %s
! RUN: %fc --prewake -O0 %s -o %t.0 2> %t.0.list
! RUN: nm -D %t | %check --check-prefix=SYMBOLS %s
! CHECK: MPI_Bcast: woken in the loop
! SYMBOLS: kumi_wake_hooks
subroutine step(a, n)
  include 'mpif.h'
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i, error
  do i = 1, n
    a(i) = a(i) * 0.5d0 + 1.0d0
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
  call mpi_finalize(error)
end program
