# --ini writes a machine file that describes the same machine.
set -eu
for machine in host dash apple-m1; do
	"$MEMSPY" machine "$machine" --ini >m.ini
	"$MEMSPY" machine check m.ini
	"$MEMSPY" machine "$machine" --csv | cut -d, -f1-7 >one
	"$MEMSPY" machine ./m.ini --csv | cut -d, -f1-7 >two
	diff one two
done
