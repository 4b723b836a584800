! What would add processes to a run ends with an MPI error, by both Fortran interfaces.
subroutine through_mpif(error_class)
  implicit none
  include 'mpif.h'
  integer :: error_class, made, code, ierror
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  made = MPI_COMM_WORLD
  call MPI_Comm_spawn('true', MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, made, &
       MPI_ERRCODES_IGNORE, code)
  if (made /= MPI_COMM_NULL) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  call MPI_Error_class(code, error_class, ierror)
end subroutine

program refused
  use mpi_f08
  implicit none
  interface
     subroutine through_mpif(error_class)
       integer :: error_class
     end subroutine
  end interface
  type(MPI_Comm) :: made
  integer :: code, error_class, rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call through_mpif(error_class)
  if (error_class /= MPI_ERR_SPAWN) call MPI_Abort(MPI_COMM_WORLD, 4)
  made = MPI_COMM_WORLD
  call MPI_Comm_connect('port', MPI_INFO_NULL, 0, MPI_COMM_WORLD, made, code)
  call MPI_Error_class(code, error_class)
  if (error_class /= MPI_ERR_PORT) call MPI_Abort(MPI_COMM_WORLD, 5)
  if (made /= MPI_COMM_NULL) call MPI_Abort(MPI_COMM_WORLD, 6)
  call MPI_Comm_accept('port', MPI_INFO_NULL, 0, MPI_COMM_WORLD, made)
  if (rank == 0) print '(a)', 'refused_f08: passed'
  call MPI_Finalize()
end program
