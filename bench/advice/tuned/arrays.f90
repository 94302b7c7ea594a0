! Moves particles whose components are arrays, in order.
program arrays
  implicit none
  integer, parameter :: n = 1000000, steps = 30
  real(8), allocatable :: x(:), v(:)
  integer :: step
  allocate(x(n), v(n))
  x = 0
  v = 0.5d0
  do step = 1, steps
     call move(x, v)
  end do
  print *, sum(x)
contains
  subroutine move(at, speed)
    real(8), intent(inout) :: at(n)
    real(8), intent(in) :: speed(n)
    integer :: i
    do i = 1, n
       at(i) = at(i) + 0.01d0 * speed(i)
    end do
  end subroutine
end program
