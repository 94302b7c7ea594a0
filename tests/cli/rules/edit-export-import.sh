# Rules that apply to renamed names, undoing and removing rules; export and import give the same rules.
export MEMSPY_DB=$("$DBS/make" matmul)
names() { "$MEMSPY" report --by data --threshold 0 "$@" | sed -n '/^BY DATA/,/^$/s/.* //p' | tr '\n' ' '; echo; }
"$MEMSPY" combine M 'Matrix.*'
names
"$MEMSPY" rename M N
names
"$MEMSPY" combine all N counter
names
"$MEMSPY" rules --export | tee memspy.rules
"$MEMSPY" rules --remove 1 --remove 2 --remove 3 --remove 4
"$MEMSPY" rules --export
"$MEMSPY" rules
names
"$MEMSPY" rules --import memspy.rules
mv memspy.rules exported
"$MEMSPY" rules --export | diff - exported && echo "the same"
"$MEMSPY" rules --remove 7 --remove 8
"$MEMSPY" rename N M
names
"$MEMSPY" rules --json | sed 's/"added": "[^"]*"/"added": ""/'
"$MEMSPY" rules --csv
# A pattern is kept as one also where the run has only one such thing; a name that looks like one is a name.
rm "$MEMSPY_DB" && "$DBS/make" matmul >/dev/null
sqlite3 "$MEMSPY_DB" "update code set name = 'operator*' where name = 'memcpy'"
"$MEMSPY" combine later 'Matrix.Y*'
"$MEMSPY" hide --code 'Blk*'
"$MEMSPY" hide --code 'operator*'
"$MEMSPY" rename 'Matrix.Z*' zz
"$MEMSPY" rules
