# Client requests of Fortran programs (include/memspy.f90) work under both front-ends and in sampled runs.
. "$SRC/tests/cli/run/lib.bash"
gcc -c -I"$SRC/include" "$SRC/include/memspy_fortran.c" || fail "gcc memspy_fortran.c"
for example in heat particles; do
	gfortran -std=f2008 -Wall -Wextra -Werror -O2 -g "$SRC/include/memspy.f90" "$SRC/examples/fortran/$example.f90" memspy_fortran.o \
		-o $example || fail "gfortran $example.f90"
done
# Fortran has all that C has, and the examples use it.
for function in $(grep -o 'memspy_[a-z_]*(' "$SRC/include/memspy.h" | tr -d '(' | grep -v '_$' | sort -u); do
	grep -q "public ::.*\<$function\>" "$SRC/include/memspy.f90" || fail "memspy.f90 has no $function"
	cat "$SRC"/examples/fortran/*.f90 | grep -v '^!' | grep -q "\<$function\>" || fail "no example of $function"
done
./particles 100 >alone
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
	profile_quiet $frontend.pool --frontend $frontend -- ./particles 100
	echo 'memspy looks on' | cat alone - | cmp - $frontend.pool.out || fail "$frontend: $(cat $frontend.pool.out)"
	expect $frontend.pool <<'END'
# Two kinds of particles alternate in one array, distinguished by what allocated them.
data('pools::take * < add_moving:*').objects == 100
data('pools::take * < add_moving:*').bytes == 100 * 64
data('pools::take (particles.f90:*) < build:*').objects == 100
bin('move', 'pools::take * < add_moving:*').refs >= 10 * 100 * 7
[b for b in report['bins'] if b['code'] == 'move' and 'take' in b['data'] and 'add_moving' not in b['data']] == []
names('named') == ['forces']
data('forces').bytes == 8000
bin('move', 'forces').refs == 10 * 100
report['run']['stops'] == 1
[p['name'] for p in report['phases']] == ['<start>', 'build', 'move', 'look']
END
done
# Sampled on the real machine: the same names and phases.
if [ -e "$BUILD/frontends/memspy-native.so" ]; then
	"$MEMSPY" sample --event timer --rate 2000 -q --db runs.db --json -o sampled.json ./particles 200000 >sampled.out 2>sampled.err ||
		fail "sampled: $(cat sampled.err)"
	python3 - <<'END' || fail "sampled"
import json, sys
report = json.load(open("sampled.json"))
ok = any(d["name"].startswith("pools::take") and " < add_moving" in d["name"] for d in report["data"])
ok = ok and [p["name"] for p in report["phases"]] == ["<start>", "build", "move", "look"]
if not ok:
    print([d["name"] for d in report["data"]], report["phases"])
sys.exit(not ok)
END
fi
finish
