# In statically linked programs, position-independent or not, the C library is a part of the program.
. "$SRC/tests/cli/run/lib.bash"
for flags in '-static' '-static-pie'; do
	build newmatrix -O1 -g $flags
	profile_quiet "newmatrix$flags" ./newmatrix
	expect "newmatrix$flags" <<'END'
bin('fill', 'Matrix.X').writes == 900
bin('fill', 'Matrix.Y').writes == 1800
bin('fill', 'Matrix.Z').writes == 2700
data('Matrix.Z').kind == 'heap'
data('Matrix.Z').bytes == 7200
END
	build statics -O1 -g -pthread $flags
	profile_quiet "statics$flags" ./statics
	expect "statics$flags" <<'END'
bin('put', 'global_zero').writes == 1000
bin('put', 'inside_function::counters').writes == 100
bin('put', 'local_zero').writes == 320
bin('put', 'local_set').writes == 230
END
done
finish
