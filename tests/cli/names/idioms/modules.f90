! Procedures of modules, their OpenMP regions and automatic arrays.
module grids
	real(8), allocatable :: field(:,:)
contains
	subroutine sweep(n)
		integer, intent(in) :: n
		real(8) :: work(n * 20)
		real(8) :: left(n * 10), right(n * 30)
		integer :: i, j
		work = 0
		left = 1
		right = 2
		!$omp parallel do private(i)
		do j = 1, n
			do i = 1, n
				field(i, j) = field(i, j) + left(i) + right(i)
			end do
		end do
		do i = 1, n * 20
			work(i) = work(i) + 1
		end do
		field(1, 1) = sum(work)
	end subroutine
end module
program modules
	use grids
	integer :: n = 300
	allocate(field(n, n))
	field = 1
	call sweep(n)
	print *, field(1, 1)
end program
