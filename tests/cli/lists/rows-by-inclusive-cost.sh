# Functions that cost little themselves, but much with all that they call, have rows of their own, and the column of inclusive costs stays in a
# narrow table. Paths that are too small for a row are added to their callers. Without call paths, or with --top, the rows are those of the most cost.
for option in '' --call-paths; do
	"$MEMSPY" run -q $option --processors 1 --machine dash --db "db$option" "$PROGRAMS/callers" >/dev/null
	for command in code matrix 'code --top 2' 'code --threshold 20'; do
		echo "-- $command $option"
		"$MEMSPY" $command --width 80 --db "db$option" | grep -o 'Incl[a-z.%]*\|\<\(touch\|often\|main\|rarely\|clear\|wipe\)\>' | sort | xargs
	done
done
"$MEMSPY" report --by path --threshold 20 --width 160 --db "db--call-paths" | grep -o '[^>]* + calls' | sed 's/^[ 0-9.KM]*//'
"$MEMSPY" code --threshold 20 --csv --db "db--call-paths" | awk -F, 'NR > 1 { n++ } END { print n > 4 ? "ok" : "few" }'
