! As hints.c, in Fortran.
include 'kumihimo/hint.f90'

program hints_fortran
    use kumihimo_hint
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    include 'mpif.h'
    integer :: ierror, rank, half, two_groups, side, code
    character(len=10) :: what
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    side = rank / 2
    call MPI_Comm_split(MPI_COMM_WORLD, side, rank, half, ierror)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 2 - 2 * side, 0, two_groups, ierror)
    call sleep_a_little()
    if (rank == 0) then
        call get_command_argument(1, what)
        code = kumi_hint_ok
        select case (what)
        case ('rank')
            call kumi_wake(3, code)
        case ('all')
            call kumi_wake_all()
        case ('member')
            call kumi_wake_member(two_groups, 1, code)
        case ('members')
            call kumi_wake_members(two_groups, code)
        case ('none')
            call kumi_wake_members(MPI_COMM_NULL, code)
        end select
        print '(a, ": ", i0)', trim(what), code
    end if
    call sleep_a_little()
    call MPI_Finalize(ierror)

contains

    ! In virtual time.
    subroutine sleep_a_little()
        integer(c_int) :: ignored
        interface
            function usleep(time_us) bind(c) result(code)
                import :: c_int
                integer(c_int), value :: time_us
                integer(c_int) :: code
            end function
        end interface
        ignored = usleep(1000_c_int)
    end subroutine
end program
