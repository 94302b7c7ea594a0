! Several objects of one allocate statement, several allocate statements on one line.
program heat
  implicit none
  integer, parameter :: n = 64
  real(8), allocatable :: u(:,:), unew(:,:), coef(:,:)
  real(8), allocatable :: a(:), b(:), c(:)
  real(8), allocatable :: single(:), squares(:)
  type grid
    real(8), allocatable :: x(:), y(:)
  end type
  type(grid) :: g
  integer :: err

  allocate(u(n,n), unew(n,n), coef(n,n))
  allocate(a(n*n)); allocate(b(n*n)); allocate(c(n*n))
  allocate(g%x(n*n), &
           g%y(n*n), stat = err)
  allocate(single(n*n))
  call fill(u, n * n)
  call fill(unew, n * n)
  call fill(coef, n * n)
  call fill(a, n * n)
  call fill(b, n * n)
  call fill(c, n * n)
  call fill(g%x, n * n)
  call fill(g%y, n * n)
  call fill(single, n * n)
  squares = a * b
  print *, sum(u), sum(unew), sum(coef), sum(a), sum(b), sum(c), sum(g%x), sum(g%y), sum(single), sum(squares)
contains
  subroutine fill(x, n)
    integer, intent(in) :: n
    real(8), intent(out) :: x(n)
    integer :: i
    do i = 1, n
      x(i) = i
    end do
  end subroutine
end program
