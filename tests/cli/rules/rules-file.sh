# memspy.rules in the current folder applies first, the rules of the database after it.
export MEMSPY_DB=$("$DBS/make" matmul)
names() { "$MEMSPY" report --by data --threshold 0 "$@" | sed -n '/^BY DATA/,/^$/s/.* //p' | tr '\n' ' '; echo; }
cat >memspy.rules <<'END'
# as the paper has it
combine --program matmul matrices 'Matrix.*'
rename --program other counter other
rename nothing something
END
names
"$MEMSPY" rules
"$MEMSPY" rename matrices M
names
names --rules none
mv memspy.rules others
names
names --rules others
names --rules missing
echo 'rename A' >>others
names --rules others
printf 'rename counter A\nrename A B\nrename B A\n' >memspy.rules
names
