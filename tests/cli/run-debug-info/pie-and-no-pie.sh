# Position-independent and other programs, linked in old and new ways, have the same names and counts.
. "$SRC/tests/cli/run/lib.bash"
for flags in '-pie -fPIE' '-no-pie -fno-PIE' '-no-pie -fno-PIE -Wl,-z,noseparate-code' '-pie -fPIE -Wl,-z,now -Wl,-z,relro'; do
	# shellcheck disable=SC2086
	build statics -O1 -g -pthread $flags
	profile_quiet statics ./statics
	expect statics <<'END'
bin('put', 'global_zero').writes == 1000
bin('put', 'inside_function::counters').writes == 100
bin('put', 'local_zero').writes == 320
bin('put', 'local_set').writes == 230
END
	# shellcheck disable=SC2086
	build newmatrix -O1 -g $flags
	profile_quiet newmatrix ./newmatrix
	expect newmatrix <<'END'
bin('fill', 'Matrix.X').writes == 900
bin('fill', 'Matrix.Y').writes == 1800
data('Matrix.Z').bytes == 7200
END
	[ "$failures" = 0 ] || fail "with $flags"
done
finish
