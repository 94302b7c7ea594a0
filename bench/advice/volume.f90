! advice: loop-order data: density set: held-out
! Sums a volume with the last index innermost; afterwards with the first.
program volume
  implicit none
  integer, parameter :: n = 220, rounds = 5
  real(4), allocatable :: density(:,:,:)
  real(4) :: total
  integer :: round
  allocate(density(n,n,n))
  density = 0.5
  total = 0
  do round = 1, rounds
     density(round,1,1) = round
     total = total + weigh(density)
  end do
  print *, total
contains
  function weigh(of) result(sum)
    real(4), intent(in) :: of(n,n,n)
    real(4) :: sum
    integer :: i, j, k
    sum = 0
#ifdef AFTER
    do k = 1, n
       do j = 1, n
          do i = 1, n
#else
    do i = 1, n
       do j = 1, n
          do k = 1, n
#endif
             sum = sum + of(i,j,k)
          end do
       end do
    end do
  end function
end program
