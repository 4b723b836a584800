! Numbers in which the program itself allows errors, with handles of mpi_f08.
include 'kumihimo/approx.f90'

program approximate_source_f08
    use kumihimo_approx
    use mpi_f08
    use, intrinsic :: iso_fortran_env, only: int64
    implicit none
    integer, parameter :: words = 20000
    type(MPI_Datatype) :: real_type, row, wrong_type
    integer :: ierror, rank, ranks, i
    integer(int64) :: out(words), in(words), expected, wrong, all_wrong
    character(len=10) :: argument
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call kumi_approx_type(MPI_DOUBLE_PRECISION, 16, real_type, ierror)
    if (ierror /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 3)
    call MPI_Type_contiguous(words, real_type, row)
    call MPI_Type_commit(row)
    call MPI_Type_free(real_type)
    do i = 1, words
        out(i) = pattern(rank, i)
    end do
    call MPI_Sendrecv(out, 1, row, mod(rank + 1, ranks), 0, in, 1, row, &
                      mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Type_free(row)
    wrong = 0
    do i = 1, words
        expected = ieor(in(i), pattern(mod(rank + ranks - 1, ranks), i))
        if (shiftr(expected, 48) /= 0) call MPI_Abort(MPI_COMM_WORLD, 4)
        wrong = wrong + popcnt(expected)
    end do
    call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD)
    call get_command_argument(1, argument)
    if (rank == 0 .and. argument == 'count') then
        print '(a,i0)', 'double wrong ', all_wrong
        ! Outside of a run any type has a duplicate.
        call kumi_approx_type(MPI_BYTE, 0, wrong_type, ierror)
        if (ierror == MPI_ERR_TYPE .and. wrong_type == MPI_DATATYPE_NULL) print '(a)', 'type'
        call kumi_approx_type_forced(MPI_INTEGER, 33, wrong_type, ierror)
        if (ierror == MPI_ERR_ARG .and. wrong_type == MPI_DATATYPE_NULL) print '(a)', 'argument'
    end if
    if (rank == 0) print '(a)', 'passed'
    call MPI_Finalize()

contains

    pure integer(int64) function pattern(sender, place)
        integer, intent(in) :: sender, place
        pattern = (sender + 1) * 1234567890123457_int64 + place * 998244353_int64
    end function
end program
