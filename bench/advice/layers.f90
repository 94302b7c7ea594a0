! advice: line-use data: real set: held-out
! Sums one of six quantities that are stored for each point; afterwards each quantity has an array.
program layers
  implicit none
  integer, parameter :: points = 2500000, quantities = 6, rounds = 10
  real(8), allocatable :: state(:,:)
  real(8) :: total
  integer :: round
#ifdef AFTER
  allocate(state(points,quantities))
#else
  allocate(state(quantities,points))
#endif
  state = 0.25d0
  total = 0
  do round = 1, rounds
     total = total + energy(round * 0.5d0)
  end do
  print *, total
contains
  function energy(factor) result(sum)
    real(8), intent(in) :: factor
    real(8) :: sum
    integer :: i
    sum = 0
    do i = 1, points
#ifdef AFTER
       sum = sum + factor * state(i,2) * state(i,2)
#else
       sum = sum + factor * state(2,i) * state(2,i)
#endif
    end do
  end function
end program
