# A structure that a recursive function builds is one data structure, not one for each depth.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet recursion "$PROGRAMS/recursion"
expect recursion <<'END'
len([n for n in names('heap') if n.startswith('tree.')]) == 1
data('tree.*').objects == 1023
len([n for n in names('heap') if n.startswith('link.')]) == 1
data('link.*').objects == 151
END
finish
