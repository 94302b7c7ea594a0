# The idioms of Fortran programs in the table have the names that it says.
. "$SRC/tests/cli/names/lib.bash"
check_idioms '*.f90'
