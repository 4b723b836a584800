! Kumihimo's Fortran interface for approximate communication, as in approx.h: numbers that may arrive
! with errors, in messages over links that corrupt bits.
!
! Nothing needs to be linked but MPI: outside of a run these procedures make plain duplicates of
! datatypes. Compile this file before those that use the module, or include it once, at the beginning
! of a file. Fortran 2018.
module kumihimo_approx
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, c_int, &
      c_null_char, c_null_funptr, c_null_ptr, c_ptr
  implicit none
  private
  public :: kumi_approx_type, kumi_approx_type_forced

  abstract interface
    function make_type(type, protected_bits, is_forced, new_type) bind(c) result(code)
      import :: c_int
      type(*), intent(in) :: type
      integer(c_int), value :: protected_bits, is_forced
      type(*), intent(inout) :: new_type
      integer(c_int) :: code
    end function
  end interface

  interface
    function find_symbol(library, name) bind(c, name='dlsym') result(address)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: address
    end function
    ! Of the MPI library, by the binding of mpif.h.
    subroutine MPI_Type_dup(type, new_type, code)
      type(*), intent(in) :: type
      type(*), intent(inout) :: new_type
      integer, intent(out) :: code
    end subroutine
    subroutine MPI_Type_commit(type, code)
      type(*), intent(inout) :: type
      integer, intent(out) :: code
    end subroutine
  end interface

contains

  ! Makes a committed duplicate of an MPI datatype, to be freed by MPI_Type_free, whose messages may
  ! arrive with errors in all but the first `protected_bits` bits of each number: see approx.h.
  ! Datatypes are handles of mpif.h and the module mpi (integers), or of mpi_f08 (type(MPI_Datatype)).
  ! `ierror` becomes MPI_SUCCESS or an MPI error class, without a call of an error handler.
  subroutine kumi_approx_type(type, protected_bits, new_type, ierror)
    type(*), intent(in) :: type
    integer, intent(in) :: protected_bits
    type(*), intent(inout) :: new_type
    integer, intent(out), optional :: ierror
    integer :: code
    code = made_type(type, protected_bits, 0_c_int, new_type)
    if (present(ierror)) ierror = code
  end subroutine

  ! The same, also of integers, which may be counts or places: a wrong one may be fatal.
  subroutine kumi_approx_type_forced(type, protected_bits, new_type, ierror)
    type(*), intent(in) :: type
    integer, intent(in) :: protected_bits
    type(*), intent(inout) :: new_type
    integer, intent(out), optional :: ierror
    integer :: code
    code = made_type(type, protected_bits, 1_c_int, new_type)
    if (present(ierror)) ierror = code
  end subroutine

  integer function made_type(type, protected_bits, is_forced, new_type) result(code)
    type(*), intent(in) :: type
    integer, intent(in) :: protected_bits
    integer(c_int), intent(in) :: is_forced
    type(*), intent(inout) :: new_type
    type(c_funptr), save :: address = c_null_funptr
    logical, save :: is_searched = .false.
    procedure(make_type), pointer :: make
    ! The null pointer is RTLD_DEFAULT.
    if (.not. is_searched) &
      address = find_symbol(c_null_ptr, 'kumi_approx_make_fortran_type' // c_null_char)
    is_searched = .true.
    if (c_associated(address)) then
      call c_f_procpointer(address, make)
      code = make(type, int(protected_bits, c_int), is_forced, new_type)
      return
    end if
    call MPI_Type_dup(type, new_type, code)
    if (code == 0) call MPI_Type_commit(new_type, code)
  end function

end module kumihimo_approx
