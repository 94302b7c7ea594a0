! The generator that wrote this has left no source.
#line 1 "generated/fields.f90"
module fields
  implicit none
  type grid
    integer :: n
    real(8), allocatable :: cells(:)
  end type
  type(grid) :: coarse
  real(8), allocatable :: rho(:,:), vel(:,:)
  real(4), pointer :: window(:)
contains
  subroutine setup(n)
    integer, intent(in) :: n
    real(8), allocatable :: local(:)
    allocate(rho(n,n), vel(n,n))
    allocate(coarse%cells(n), window(n))
    allocate(local(n))
    local = 3
    rho = sum(local)
    vel = 2
    coarse%cells = 3
    window = 4
  end subroutine
end module
program main
  use fields
  implicit none
  call setup(64)
  print *, sum(rho) + sum(vel) + sum(coarse%cells) + sum(window)
end program
