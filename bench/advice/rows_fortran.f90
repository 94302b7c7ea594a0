! advice: loop-order data: real set: textbook
! Scales a matrix row by row, which in Fortran is across its columns; afterwards column by column.
program rows_fortran
  implicit none
  integer, parameter :: n = 2048, rounds = 5
  real(8), allocatable :: a(:,:)
  integer :: round
  allocate(a(n,n))
  a = 1
  do round = 1, rounds
     call scale_all(a, 1 + 0.5d0 / round)
  end do
  print *, a(n / 2, n / 3)
contains
  subroutine scale_all(m, factor)
    real(8), intent(inout) :: m(n,n)
    real(8), intent(in) :: factor
    integer :: i, j
#ifdef AFTER
    do j = 1, n
       do i = 1, n
#else
    do i = 1, n
       do j = 1, n
#endif
          m(i,j) = m(i,j) * factor
       end do
    end do
  end subroutine
end program
