# --help and the manual page of every command name the same options.
set -eu
commands=$("$MEMSPY" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
	"$MEMSPY" "$command" --help | sed -n '/^Options:/,/^$/p' |
		grep -oE '^ +(-[a-zA-Z], )?--[a-z0-9-]+' | sed 's/^ *//' | sort >help
	"$MEMSPY" help --man "$command" | sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' |
		grep -E '^\\fB\\-' | sed 's/\\fB//g; s/\\fR//g; s/\\-/-/g; s/ \\fI.*//' | sort >man
	diff help man
	[ -s help ]
done
[ "$(echo "$commands" | wc -w)" -ge 6 ]
# The overview names every command.
for command in $commands; do
	"$MEMSPY" help --man | grep -q "memspy\\\\-$command\\\\fR(1)"
done
