# 64 ranks of a launcher; two jobs at the same time in one folder.
jobs_of() {
	for folder in "$1"/*/; do
		echo "$(find "$folder" -name '*.db' | wc -l) databases, $(for db in "$folder"*.db; do
			sqlite3 "$db" 'select ranks from run'
		done | sort | uniq -c | sed 's/  */ /g' | tr '\n' ' ')"
	done
}
mkdir many two
(cd many && mpirun.mpich -n 64 "$MEMSPY" run -q --machine dash "$PROGRAMS/ranks" 2>err || echo "status $?, $(cat err)")
jobs_of many/memspy.d
cd two || exit 1
for job in 1 2; do
	mpirun.mpich -n 3 "$MEMSPY" run -q --machine dash "$PROGRAMS/ranks" 2>err.$job || echo "status $?, $(cat err.$job)" &
done
wait
cd ..
jobs_of two/memspy.d
