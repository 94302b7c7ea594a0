# The native and the Valgrind front-end count the same references in every function of the bench programs.
. "$SRC/tests/cli/native/lib.bash"
for name in triad chase gather join; do
	gcc -std=gnu17 -O2 -g -o $name "$SRC/bench/programs/$name.c" || fail "gcc $name.c"
	compare $name '' ./$name
done
g++ -std=c++17 -O2 -g -o objects "$SRC/bench/programs/objects.cc" || fail "g++ objects.cc"
compare objects '' ./objects
finish
