! Derived types with allocatable components: allocating one also copies its components' defaults, which may allocate.
module fields
  implicit none
  type cell
    real(8), allocatable :: q(:)
    real(4), pointer :: next(:)
  end type
  type(cell), allocatable :: cells(:)
  real(8), allocatable :: rho(:,:), vel(:,:,:)
contains
  subroutine setup(n)
    integer, intent(in) :: n
    integer :: i
    allocate(rho(n,n), vel(n,n,3)); allocate(cells(50))
    do i = 1, 50
      allocate(cells(i)%q(n)); allocate(cells(i)%next(n))
      cells(i)%q = i
      cells(i)%next = 1
    end do
    rho = 1
    vel = 2
  end subroutine
end module
program components
  use fields
  implicit none
  call setup(64)
  print *, sum(rho) + sum(vel) + sum(cells(1)%q) + sum(cells(2)%next)
end program
