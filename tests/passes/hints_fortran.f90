! In Fortran as in C: the hints go around the loop with the exchanges, and outside of a run they do
! nothing.
! RUN: %fc --no-count -O2 %s -o %t.plain && %t.plain > %t.expected
! RUN: %fc --no-count --hints -O2 %s -o %t.2 2> %t.list && %t.2 | diff %t.expected -
! RUN: %check --input-file=%t.list %s
! CHECK: hints_fortran.f90:16: IN_KERNEL around the loop: it has about 1000 of 1001 calls that communicate
! CHECK-NOT: {{.}}
program main
  include 'mpif.h'
  integer :: i, error, rank
  real(8) :: a(10)
  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  a = 1.0d0
  call mpi_bcast(a, 10, mpi_double_precision, 0, mpi_comm_world, error)
  do i = 1, 1000
    call mpi_sendrecv_replace(a, 10, mpi_double_precision, rank, 0, rank, 0, mpi_comm_world, &
                              mpi_status_ignore, error)
    a = a * 0.5d0 + i
  end do
  print '(F12.4)', a(10)
  call mpi_finalize(error)
end program
