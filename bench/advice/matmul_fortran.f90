! advice: loop-order set: textbook
! The product of two matrices with the loops in the order i, j, k; afterwards j, k, i.
program matmul_fortran
  implicit none
  integer, parameter :: n = 800
  real(8), allocatable :: a(:,:), b(:,:), c(:,:)
  allocate(a(n,n), b(n,n), c(n,n))
  call random_number(a)
  call random_number(b)
  c = 0
  call multiply(a, b, c)
  print *, sum(c)
contains
  subroutine multiply(a, b, c)
    real(8), intent(in) :: a(n,n), b(n,n)
    real(8), intent(inout) :: c(n,n)
    integer :: i, j, k
#ifdef AFTER
    do j = 1, n
       do k = 1, n
          do i = 1, n
#else
    do i = 1, n
       do j = 1, n
          do k = 1, n
#endif
             c(i,j) = c(i,j) + a(i,k) * b(k,j)
          end do
       end do
    end do
  end subroutine
end program
