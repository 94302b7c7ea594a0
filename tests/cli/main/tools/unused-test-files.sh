# tools/check-tests names files of tests/cli that no script uses, and names that two tests have.
set -u
mkdir -p tree/tests/cli/a tree/tests/unit/base tree/tests/programs
cd tree/tests || exit 1
echo '. "$SRC/tests/cli/a/lib.bash"; python3 -c "import shared"' >cli/a/good.sh
touch cli/a/lib.bash cli/a/shared.py cli/a/good.sh.{stdout.exact,stderr.exact,stdout.glob,stderr.glob,exit,needs,tries}
printf 'cmocka_unit_test(one),\ncmocka_unit_test_setup(two, up),\n' >unit/base/x.c
touch programs/walk.c programs/build.mk
"$SRC/tools/check-tests" ..
echo "all used: status $?"

touch unit/base_y.c cli/a/gone.sh.stdout.exact cli/a/good.sh.stdout.exactly cli/a/b.bash cli/a/hared.py cli/a/Good.sh programs/Walk.cc
echo 'cmocka_unit_test(two),' >>unit/base/x.c
"$SRC/tools/check-tests" ..
echo "unused: status $?"

rm -r cli/a
"$SRC/tools/check-tests" ..
echo "no tests: status $?"
