# Go with cgo and 300 goroutines on several threads prints and ends as natively; a statically linked Go program does so under
# Valgrind.
. "$SRC/tests/cli/run/lib.bash"
export GO111MODULE=off GOCACHE="$PWD/cache" GOPATH="$PWD" GOPROXY=off GOTOOLCHAIN=local CGO_ENABLED=1
# check OPTIONS PROGRAM
check() {
	timeout -s KILL 120 "$MEMSPY" $1 -q --db runs.db -- "$2" >out 2>err || fail "$1 $2: exit status $?: $(head -n 5 err)"
	cmp out alone.out || fail "$1 $2: prints $(cat out), natively $(cat alone.out)"
}
go build -o goroutines "$SRC/tests/programs/goroutines.go" || fail "go build goroutines.go"
./goroutines >alone.out || fail "natively exit status $?"
for way in '' '--sample 1/10 --window 20K' '--sample 1/10 --window 20K' '--sample auto'; do
	check "run --frontend native $way" ./goroutines
done
check 'sample --rate 2000' ./goroutines
[ "$(sqlite3 runs.db 'select count(*) > 0 from hardware')" = 1 ] || fail "no samples"

go build -o lists "$SRC/tests/programs/lists.go" || fail "go build lists.go"
./lists >alone.out
check 'run --frontend valgrind' ./lists
finish
