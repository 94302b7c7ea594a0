# A program linked by lld, whose segments share pages of the file, has the right names.
. "$SRC/tests/cli/run/lib.bash"
gcc -g -O1 -fuse-ld=lld -o newmatrix "$SRC/tests/programs/newmatrix.c"
profile_quiet lld ./newmatrix
expect lld <<'END'
data('Matrix.X').objects == 1
bin('fill', 'Matrix.Y').writes == 900 * 2
END
finish
