! heat.f90 - heat that spreads over a plate, and what a Fortran program tells memspy about itself:
! two fields that lie in one array have names of their own, and setting them up is another phase
! than the steps. See include/memspy.f90.
!
!    gcc -c -I../../include ../../include/memspy_fortran.c
!    gfortran -O2 -g ../../include/memspy.f90 heat.f90 memspy_fortran.o -o heat
!    memspy run ./heat 500
program heat
  use, intrinsic :: iso_c_binding, only: c_loc, c_size_t
  use memspy
  implicit none
  real(8), allocatable, target :: plate(:, :, :)
  integer :: n, i, j, step, old, new
  integer(c_size_t) :: field
  character(len=20) :: text

  n = 300
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  allocate (plate(n, n, 2))
  field = int(n, c_size_t) * n * storage_size(plate) / 8
  call memspy_name(c_loc(plate(1, 1, 1)), field, "even steps")
  call memspy_name(c_loc(plate(1, 1, 2)), field, "odd steps")

  call memspy_phase("set up")
  plate = 0
  plate(1, :, :) = 100

  call memspy_phase("spread")
  do step = 1, 20
    old = 2 - mod(step, 2)
    new = 3 - old
    do j = 2, n - 1
      do i = 2, n - 1
        plate(i, j, new) = 0.25d0 * (plate(i - 1, j, old) + plate(i + 1, j, old) &
                                     + plate(i, j - 1, old) + plate(i, j + 1, old))
      end do
    end do
  end do
  print '(a, f10.6)', 'in the middle: ', plate(n / 2, n / 2, 1)
  deallocate (plate)
end program heat
