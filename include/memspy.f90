! SPDX-License-Identifier: BSD-2-Clause
!
! memspy.f90 - what a Fortran program may tell memspy about itself: memspy.h says what each means.
!
!    call memspy_name(c_loc(a), size(a, kind=c_size_t) * storage_size(a) / 8, "pressure")
!    call memspy_phase("solve")
!    block = memspy_alloc_named(bytes, "pressure")      ! a c_ptr: c_f_pointer makes an array of it, C's free ends it
!    node = memspy_pool_alloc(c_loc(pool(i)), bytes)    ! a c_ptr: its first argument
!
! Build it with the program: gcc -c memspy_fortran.c; gfortran -g memspy.f90 program.f90 memspy_fortran.o
module memspy
  use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t, c_int, c_char, c_null_char
  implicit none
  private
  public :: memspy_name, memspy_unname, memspy_alloc_named, memspy_pool_alloc, memspy_pool_free
  public :: memspy_phase, memspy_start, memspy_stop, memspy_running

  interface
    subroutine c_name(start, bytes, name) bind(c, name="memspy_fortran_name")
      import :: c_ptr, c_size_t, c_char
      type(c_ptr), value :: start
      integer(c_size_t), value :: bytes
      character(kind=c_char), intent(in) :: name(*)
    end subroutine c_name
    subroutine memspy_unname(start) bind(c, name="memspy_fortran_unname")
      import :: c_ptr
      type(c_ptr), value :: start
    end subroutine memspy_unname
    function c_alloc_named(bytes, name) result(block) bind(c, name="memspy_fortran_alloc_named")
      import :: c_ptr, c_size_t, c_char
      integer(c_size_t), value :: bytes
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: block
    end function c_alloc_named
    function memspy_pool_alloc(block, bytes) result(same) bind(c, name="memspy_fortran_pool_alloc")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: block
      integer(c_size_t), value :: bytes
      type(c_ptr) :: same
    end function memspy_pool_alloc
    subroutine memspy_pool_free(block) bind(c, name="memspy_fortran_pool_free")
      import :: c_ptr
      type(c_ptr), value :: block
    end subroutine memspy_pool_free
    subroutine c_phase(name) bind(c, name="memspy_fortran_phase")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine c_phase
    subroutine c_count(on) bind(c, name="memspy_fortran_count")
      import :: c_int
      integer(c_int), value :: on
    end subroutine c_count
    function c_running() result(running) bind(c, name="memspy_fortran_running")
      import :: c_int
      integer(c_int) :: running
    end function c_running
  end interface

contains

  subroutine memspy_name(start, bytes, name)
    type(c_ptr), intent(in) :: start
    integer(c_size_t), intent(in) :: bytes
    character(len=*), intent(in) :: name
    call c_name(start, bytes, trim(name) // c_null_char)
  end subroutine memspy_name

  function memspy_alloc_named(bytes, name) result(block)
    integer(c_size_t), intent(in) :: bytes
    character(len=*), intent(in) :: name
    type(c_ptr) :: block
    block = c_alloc_named(bytes, trim(name) // c_null_char)
  end function memspy_alloc_named

  subroutine memspy_phase(name)
    character(len=*), intent(in) :: name
    call c_phase(trim(name) // c_null_char)
  end subroutine memspy_phase

  subroutine memspy_start()
    call c_count(1_c_int)
  end subroutine memspy_start

  subroutine memspy_stop()
    call c_count(0_c_int)
  end subroutine memspy_stop

  logical function memspy_running()
    memspy_running = c_running() /= 0
  end function memspy_running

end module memspy
