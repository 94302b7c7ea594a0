! advice: loop-order data: real
! Relaxes a plane; the inner loop runs over the second index, afterwards over the first.
program heat
  implicit none
  integer, parameter :: n = 2000, steps = 6
  real(8), allocatable :: old(:,:), new(:,:)
  integer :: i, j, step
  allocate(old(n,n), new(n,n))
  old = 0
  new = 0
  old(:,1) = 100
  do step = 1, steps
     call relax(old, new)
     call relax(new, old)
  end do
  print *, sum(old)
contains
  subroutine relax(from, to)
    real(8), intent(in) :: from(n,n)
    real(8), intent(inout) :: to(n,n)
#ifdef AFTER
    do j = 2, n - 1
       do i = 2, n - 1
          to(i,j) = 0.25d0 * (from(i-1,j) + from(i+1,j) + from(i,j-1) + from(i,j+1))
       end do
    end do
#else
    do i = 2, n - 1
       do j = 2, n - 1
          to(i,j) = 0.25d0 * (from(i-1,j) + from(i+1,j) + from(i,j-1) + from(i,j+1))
       end do
    end do
#endif
  end subroutine
end program
