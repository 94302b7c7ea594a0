! Adds the columns of a matrix one after the other: in the order of memory.
program row_sums
  implicit none
  integer, parameter :: n = 2048, rounds = 6
  real(8), allocatable :: a(:,:), total(:)
  integer :: i, j, round
  allocate(a(n,n), total(n))
  a = 1
  total = 0
  do round = 1, rounds
     do j = 1, n
        do i = 1, n
           total(j) = total(j) + a(i,j) * round
        end do
     end do
  end do
  print *, sum(total)
end program
