# Where a window opens, arrays of functions that run already are named, however deep these are.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -Wall -Wextra -I "$SRC/include" -o arrays \
	"$SRC/tests/cli/native-sampling/stack-arrays-in-windows.c" || fail gcc
# References between windows are counted: the same windows each time.
profile_quiet counted --frontend native --sample 1/10 --window 5K -- ./arrays
expect counted <<'END'
data('main.outer').kind == 'stack'
bin('put', 'main.outer').writes > bin('put', 'down.inner').writes > 0
END
# They are estimated: how many windows there are depends on the machine's load.
for references in 0 1000; do
	MEMSPY_NATIVE_COUNTED=$references profile "estimated-$references" --frontend native --sample 1/10 --window 5K -- ./arrays
	[ "$status" = 0 ] || fail "estimated-$references: exit status $status"
done
for name in counted estimated-0 estimated-1000; do
	# On x86-64, put() also reads its return address.
	expect "$name" <<'END'
[b['data'] for b in report['bins'] if b['code'] == 'put' and b['references']['write'] > 0 and b['data'] not in ('main.outer', 'down.inner')] == []
END
done
profile_quiet started --frontend native --start-stopped -- ./arrays
expect started <<'END'
data('main.outer').writes == 2 * 400 * 2000
data('down.inner').writes == 2 * 400 * 1000
END
finish
