# What cannot be written to standard output is a failure, with a reason, also of commands that cannot fail otherwise.
for command in --version help 'help run' 'machine list'; do
	# shellcheck disable=SC2086
	"$MEMSPY" $command >/dev/full
	echo "$command: status $?"
done
