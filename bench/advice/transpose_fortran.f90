! advice: blocking set: textbook
! Transposes a matrix of single precision; afterwards in tiles.
program transpose_fortran
  implicit none
  integer, parameter :: n = 3200, tile = 32, rounds = 4
  real(4), allocatable :: from(:,:), to(:,:)
  integer :: round
  allocate(from(n,n), to(n,n))
  call random_number(from)
  to = 0
  do round = 1, rounds
     call turn(from, to)
  end do
  print *, to(n / 2, n / 3)
contains
  subroutine turn(a, b)
    real(4), intent(in) :: a(n,n)
    real(4), intent(inout) :: b(n,n)
    integer :: i, j, ii, jj
#ifdef AFTER
    do jj = 1, n, tile
       do ii = 1, n, tile
          do j = jj, jj + tile - 1
             do i = ii, ii + tile - 1
                b(j,i) = a(i,j)
             end do
          end do
       end do
    end do
#else
    do j = 1, n
       do i = 1, n
          b(j,i) = a(i,j)
       end do
    end do
#endif
  end subroutine
end program
