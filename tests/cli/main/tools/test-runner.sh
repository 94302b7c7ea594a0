# tests/run, on a small tree of tests with known results.
set -u
mkdir -p tree/tests/cli/a tree/tests/unit tree/tools tree/build/tests/unit
cp "$SRC/tests/run" tree/tests/run
printf '#!/bin/sh\nexit 0\n' >tree/tools/check-layers
printf '#!/bin/sh\necho no such formatter\nexit 77\n' >tree/tools/check-format
printf '#!/bin/sh\necho a:1: unformatted\nexit 1\n' >tree/tools/check-style
chmod +x tree/tools/check-*
cd tree/tests/cli/a || exit 1

echo 'echo one; echo two; echo three' | tee good.sh exact.sh glob.sh glob-order.sh >/dev/null
printf 'one\ntwo\nthree\n' >good.sh.stdout.exact
printf 'one\nthree\n' >exact.sh.stdout.exact
printf 'o*\nt*ee\n' >glob.sh.stdout.glob
printf 'three\none\n' >glob-order.sh.stdout.glob
echo 'exit 3' | tee status.sh status-good.sh >/dev/null
echo 3 >status-good.sh.exit
echo 'exit 1' | tee skipped.sh broken-needs.sh >/dev/null
echo 'echo no such device; exit 1' >skipped.sh.needs
echo 'exit 7' >broken-needs.sh.needs
echo '[ "$(ls -A)" = "" ] && [ "$HOME" = "$PWD" ] && [ -z "${NO_COLOR+x}${MEMSPY_TOP+x}" ]' >clean.sh

cd ../../..
: >tests/unit/crash.c
printf '#!/bin/sh\necho "[  PASSED  ] 3 test(s)."\nkill -SEGV $$\n' >build/tests/unit/crash
: >tests/unit/silent.c
printf '#!/bin/sh\n' >build/tests/unit/silent
: >tests/unit/fine.c
printf '#!/bin/sh\necho "[  PASSED  ] 5 test(s)."\n' >build/tests/unit/fine
chmod +x build/tests/unit/*

NO_COLOR=1 MEMSPY_TOP=1 tests/run build
echo "status $?"
tests/run build --only good
echo "status $?"
tests/run build --only no-such-test
echo "status $?"
tests/run build --accept --only exact
tests/run build --only exact

echo "What fails in another way is not accepted."
cd tests/cli/a || exit 1
: | tee failed-line.sh.stdout.exact >failed-status.sh.stdout.exact
echo 'echo FAILED: no answer' >failed-line.sh
echo 'echo answer; exit 4' >failed-status.sh
cd ../../..
tests/run build --accept --only failed-
echo "status $?"
