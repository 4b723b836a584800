! Kumihimo's Fortran interface for hints, as in hint.h: what a program knows of its communication
! ahead of time. Hints change no result and no matching of messages.
!
! Nothing needs to be linked: outside of a run these procedures do nothing. Compile
! this file before those that use the module, or include it once, at the beginning of a file. Fortran 2008.
module kumihimo_hint
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, c_int, &
      c_intptr_t, c_null_char, c_null_funptr, c_null_ptr, c_ptr
  implicit none
  private
  public :: kumi_hint, kumi_wake, kumi_wake_all, kumi_wake_member, kumi_wake_members, kumi_wake_next

  ! The hint was taken, or there is no run to take it.
  integer, parameter, public :: kumi_hint_ok = 0
  ! There is no such rank or communicator. Nothing was done.
  integer, parameter, public :: kumi_hint_unknown = -1

  ! A function of the library that the run has loaded.
  type :: run_function
    type(c_funptr) :: address = c_null_funptr
    logical :: is_searched = .false.
  end type

  abstract interface
    function take_number(number) bind(c) result(code)
      import :: c_int
      integer(c_int), value :: number
      integer(c_int) :: code
    end function
    function take_numbers(first, second) bind(c) result(code)
      import :: c_int
      integer(c_int), value :: first, second
      integer(c_int) :: code
    end function
    function take_text(key, text, place) bind(c) result(code)
      import :: c_char, c_int, c_ptr
      character(kind=c_char), intent(in) :: key(*), text(*)
      type(c_ptr), value :: place
      integer(c_int) :: code
    end function
    subroutine take_place(place) bind(c)
      import :: c_intptr_t
      integer(c_intptr_t), value :: place
    end subroutine
  end interface

  interface
    function find_symbol(library, name) bind(c, name='dlsym') result(address)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: address
    end function
  end interface

contains

  ! A hint: a key and its value. kumi_hint('IN_KERNEL', '1') begins a region that takes most of the
  ! time, kumi_hint('IN_KERNEL', '0') ends it. Regions may be nested. Other
  ! keys are REPEATED, MEMORY_BUDGET, EAGER and INIT_DONE: see hint.h.
  subroutine kumi_hint(key, value, code)
    character(len=*), intent(in) :: key, value
    integer, intent(out), optional :: code
    type(run_function), save :: known
    procedure(take_text), pointer :: hint
    integer :: answer
    answer = kumi_hint_unknown
    if (key == 'IN_KERNEL' .or. key == 'REPEATED' .or. key == 'MEMORY_BUDGET' .or. key == 'EAGER' &
        .or. key == 'INIT_DONE' .or. key == 'WAKE') answer = kumi_hint_ok
    if (finds('kumi_hint', known)) then
      call c_f_procpointer(known%address, hint)
      answer = hint(trim(key) // c_null_char, trim(value) // c_null_char, c_null_ptr)
    end if
    if (present(code)) code = answer
  end subroutine

  ! Wakes the sleeping links on the way to rank `rank` of MPI_COMM_WORLD: this rank is going to
  ! send there. The wake frame leaves at once, and the rank goes on.
  subroutine kumi_wake(rank, code)
    integer, intent(in) :: rank
    integer, intent(out), optional :: code
    type(run_function), save :: known
    call pass_number('kumi_wake_rank', known, rank, code)
  end subroutine

  ! As kumi_wake, for rank `rank` of a communicator: of the remote group, if it has two. With
  ! mpi_f08, its MPI_VAL.
  subroutine kumi_wake_member(communicator, rank, code)
    integer, intent(in) :: communicator, rank
    integer, intent(out), optional :: code
    type(run_function), save :: known
    procedure(take_numbers), pointer :: wake
    integer :: answer
    answer = kumi_hint_ok
    if (finds('kumi_wake_fortran_member', known)) then
      call c_f_procpointer(known%address, wake)
      answer = wake(int(communicator, c_int), int(rank, c_int))
    end if
    if (present(code)) code = answer
  end subroutine

  ! The same for all ranks of the communicator.
  subroutine kumi_wake_members(communicator, code)
    integer, intent(in) :: communicator
    integer, intent(out), optional :: code
    type(run_function), save :: known
    call pass_number('kumi_wake_fortran_members', known, communicator, code)
  end subroutine

  ! Wakes the links to all other ranks.
  subroutine kumi_wake_all()
    type(run_function), save :: known
    procedure(take_text), pointer :: hint
    integer(c_int) :: ignored
    if (.not. finds('kumi_hint', known)) return
    call c_f_procpointer(known%address, hint)
    ignored = hint('WAKE' // c_null_char, 'all' // c_null_char, c_null_ptr)
  end subroutine

  ! Wakes the links that the next MPI calls will use, in time: those to the ranks to which this rank
  ! sent after it had been here before. `place` is a number of its own for each place in the
  ! program, 1 or more.
  subroutine kumi_wake_next(place)
    integer, intent(in) :: place
    type(run_function), save :: known
    procedure(take_place), pointer :: pass
    if (.not. finds('kumi_wake_next', known)) return
    call c_f_procpointer(known%address, pass)
    call pass(int(place, c_intptr_t))
  end subroutine

  ! Calls a run's function of one number.
  subroutine pass_number(name, known, number, code)
    character(len=*), intent(in) :: name
    type(run_function), intent(inout) :: known
    integer, intent(in) :: number
    integer, intent(out), optional :: code
    procedure(take_number), pointer :: wake
    integer :: answer
    answer = kumi_hint_ok
    if (finds(name, known)) then
      call c_f_procpointer(known%address, wake)
      answer = wake(int(number, c_int))
    end if
    if (present(code)) code = answer
  end subroutine

  ! Whether the run has a function of this name; it is searched for once.
  logical function finds(name, known)
    character(len=*), intent(in) :: name
    type(run_function), intent(inout) :: known
    ! The null pointer is RTLD_DEFAULT.
    if (.not. known%is_searched) known%address = find_symbol(c_null_ptr, name // c_null_char)
    known%is_searched = .true.
    finds = c_associated(known%address)
  end function

end module kumihimo_hint
