! Arrays of the stack whose indices begin at 1 or below.
program stack_arrays
   implicit none
   print *, relax(30)
contains
   function relax(n) result(total)
      integer, intent(in) :: n
      real(8) :: total
      real(8) :: old(12, 12), new(12, 12), edge(-3:40)
      integer :: i, j, k
      old = 1
      new = 0
      edge = 2
      do k = 1, n
         do j = 2, 11
            do i = 2, 11
               new(i, j) = old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + edge(i - 4)
            end do
         end do
         old = 0.1d0 * new
      end do
      total = sum(old) + sum(edge)
   end function relax
end program stack_arrays
