# groff reports no warnings in any manual page.
set -eu
for command in '' $("$MEMSPY" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	"$MEMSPY" help --man $command | groff -man -Tascii -ww >/dev/null
done
