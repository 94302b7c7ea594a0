# check_idioms PATTERN: the rows of the table whose source matches the shell pattern, one run of memspy per build. Prints each
# build with "ok", or with the names that are missing and those that there are.
here=$SRC/tests/cli/names
# HOME is the test's folder; a rustc of rustup looks for its toolchain in the user's.
# Threads that spin would take long on a busy machine.
export OMP_NUM_THREADS=1
export RUSTUP_HOME=${RUSTUP_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.rustup}

names_of() {
	"$MEMSPY" data --csv --db run.db | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["name"])'
	"$MEMSPY" code --csv --db run.db | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print("code", row["name"])
    print("code", row["name"], "in", row["file"].split("/")[-1])'
}

# check_build SOURCE COMPILER "OPTIONS" "NAME; NAME; ..."
check_build() {
	local source=$1 compiler=$2 options=$3 names=$4 name missing=()
	rm -f run.db program
	# shellcheck disable=SC2086 # a list of options
	"$compiler" -g $options "$here/idioms/$source" -o program 2>build.log || {
		echo "$source: $compiler $options: $(cat build.log)"
		return 1
	}
	"$MEMSPY" run -q --machine dash --db run.db -- ./program >program.out 2>run.log || {
		echo "$source: memspy run: $(cat run.log)"
		return 1
	}
	names_of >names
	while IFS= read -r name; do
		case $name in
		'') ;;
		!*) ! grep -qxF -- "${name#!}" names || missing+=("no ${name#!}") ;;
		*) grep -qxF -- "$name" names || missing+=("$name") ;;
		esac
	done < <(tr ';' '\n' <<<"$names" | sed 's/^ *//; s/ *$//')
	if [ ${#missing[@]} -gt 0 ]; then
		printf '%s: %s %s: expected %s\n' "$source" "$compiler" "$options" "$(printf '%s; ' "${missing[@]}")"
		echo "    found: $(head -n 40 names | tr '\n' ';')"
		return 1
	fi
}

check_idioms() {
	local source compilers builds names compiler options failures=0 builds_done=0
	while IFS='|' read -r source compilers builds names; do
		source=${source%% *}
		# shellcheck disable=SC2053 # the right side is a pattern
		[[ $source == $1 ]] || continue
		for compiler in $compilers; do
			command -v "$compiler" >/dev/null || {
				echo "skipped: there is no $compiler for $source"
				continue
			}
			while IFS= read -r options; do
				check_build "$source" "$compiler" "$options" "$names" || failures=$((failures + 1))
				builds_done=$((builds_done + 1))
			done < <(tr ',' '\n' <<<"$builds" | sed 's/^ *//; s/ *$//')
		done
	done < <(grep -v '^#' "$here/table")
	[ "$failures" = 0 ] || exit 1
	[ "$builds_done" -gt 0 ] || { echo "no build matches $1"; exit 1; }
	echo ok
}
