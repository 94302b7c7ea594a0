# include/memspy.f90: what a Fortran program tells of itself, under both front-ends.
. "$SRC/tests/cli/run/lib.bash"
gcc -c -I"$SRC/include" "$SRC/include/memspy_fortran.c" || fail "gcc memspy_fortran.c"
gfortran -std=f2008 -Wall -Wextra -Werror -O2 -g "$SRC/include/memspy.f90" "$SRC/examples/fortran/heat.f90" memspy_fortran.o -o heat ||
	fail "gfortran heat.f90"
for frontend in valgrind native; do
	[ $frontend = valgrind ] || [ -e "$BUILD/frontends/memspy-native.so" ] || continue
	profile_quiet $frontend --frontend $frontend -- ./heat 100
	expect $frontend <<'END'
names('named') == ['even steps', 'odd steps']
data('even steps').bytes == 100 * 100 * 8
# 20 steps; 98 rows and columns, four of the one field read and one of the other written.
bin('heat', 'even steps').writes == 98 * 98 * 10 + 100
bin('heat', 'odd steps').writes == 98 * 98 * 10 + 100
[p['name'] for p in report['phases']] == ['<start>', 'set up', 'spread']
END
done
finish
