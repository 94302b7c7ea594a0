! particles.f90 - particles in chains, taken from a pool of the program's own, and forces in a table
! that C allocates: what a Fortran program tells memspy of both. Moving and resting particles lie
! between each other in one array, and are data of their own all the same. See include/memspy.f90.
!
!    gcc -c -I../../include ../../include/memspy_fortran.c
!    gfortran -O2 -g ../../include/memspy.f90 particles.f90 memspy_fortran.o -o particles
!    memspy run ./particles 20000
module pools
  use, intrinsic :: iso_c_binding, only: c_ptr, c_loc, c_size_t, c_f_pointer
  use memspy
  implicit none

  type :: particle
    real(8) :: at(3), speed(3)
    type(particle), pointer :: next
    integer :: cell
  end type particle

  type(particle), allocatable, target :: pool(:)
  integer :: used = 0

contains

  ! The next particle of the pool: data by who asks for it.
  function take(cell) result(one)
    integer, intent(in) :: cell
    type(particle), pointer :: one
    type(c_ptr) :: block
    used = used + 1
    block = memspy_pool_alloc(c_loc(pool(used)), storage_size(pool, kind=c_size_t) / 8)
    call c_f_pointer(block, one)
    one%cell = cell
    one%next => null()
  end function take

  subroutine take_all_back()
    integer :: i
    do i = 1, used
      call memspy_pool_free(c_loc(pool(i)))
    end do
    used = 0
  end subroutine take_all_back

end module pools

program particles
  use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t, c_f_pointer
  use memspy
  use pools
  implicit none
  interface
    subroutine c_free(block) bind(c, name="free")
      import :: c_ptr
      type(c_ptr), value :: block
    end subroutine c_free
  end interface
  integer, parameter :: cells = 1000
  type(particle), pointer :: moving, resting
  real(8), pointer :: force(:)
  type(c_ptr) :: table
  integer :: n, i
  character(len=20) :: text

  n = 10000
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  allocate (pool(2 * n))
  table = memspy_alloc_named(int(cells, c_size_t) * 8, "forces")
  call c_f_pointer(table, force, [cells])

  call memspy_stop()
  force = [(1d-3 * i, i = 1, cells)]
  call memspy_start()

  call memspy_phase("build")
  call build()
  call memspy_phase("move")
  do i = 1, 10
    call move(moving)
  end do
  call memspy_phase("look")
  print '(a, f18.6, f18.6)', 'sums: ', sum_of(moving), sum_of(resting)
  if (memspy_running()) print '(a)', 'memspy looks on'

  call take_all_back()
  call memspy_unname(table)
  call c_free(table)
  deallocate (pool)

contains

  subroutine build()
    type(particle), pointer :: one
    moving => null()
    resting => null()
    do i = 1, n
      call add_moving(mod(i * 7, cells) + 1)
      one => take(mod(i, cells) + 1)
      one%at = 0
      one%next => resting
      resting => one
    end do
  end subroutine build

  subroutine add_moving(cell)
    integer, intent(in) :: cell
    type(particle), pointer :: one
    one => take(cell)
    one%at = 0
    one%speed = 0
    one%next => moving
    moving => one
  end subroutine add_moving

  subroutine move(chain)
    type(particle), pointer, intent(in) :: chain
    type(particle), pointer :: one
    one => chain
    do while (associated(one))
      one%speed = one%speed + force(one%cell)
      one%at = one%at + one%speed
      one => one%next
    end do
  end subroutine move

  function sum_of(chain) result(total)
    type(particle), pointer, intent(in) :: chain
    type(particle), pointer :: one
    real(8) :: total
    total = 0
    one => chain
    do while (associated(one))
      total = total + one%at(1)
      one => one%next
    end do
  end function sum_of

end program particles
