! Heat in a plate, by OpenMP: loops, a reduction that is exact, tasks and critical sections.
program heat
  use omp_lib
  implicit none
  integer, parameter :: n = 200, steps = 20
  real(8), allocatable :: now(:,:), later(:,:)
  integer :: i, j, step
  integer(8) :: total, tasks

  allocate (now(n, n), later(n, n))
  now = 0
  now(1, :) = 100
  later = now
  call omp_set_num_threads(4)
  do step = 1, steps
    !$omp parallel do private(i)
    do j = 2, n - 1
      do i = 2, n - 1
        later(i, j) = 0.25d0 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1))
      end do
    end do
    !$omp end parallel do
    now = later
  end do
  total = 0
  !$omp parallel do reduction(+:total)
  do j = 1, n
    total = total + int(sum(now(:, j)) * 1000, 8)
  end do
  !$omp end parallel do
  tasks = 0
  !$omp parallel
  !$omp single
  do i = 1, 200
    !$omp task firstprivate(i) shared(tasks)
    !$omp critical
    tasks = tasks + i
    !$omp end critical
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  print '(i0, 1x, i0)', total, tasks
  if (total < 0) stop 1
  stop 6
end program
