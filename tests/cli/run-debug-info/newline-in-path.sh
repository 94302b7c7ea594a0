# In a folder whose name contains a newline, code has names, and the path is shown on one line.
. "$SRC/tests/cli/run/lib.bash"
folder=$(printf 'two\nlines')
mkdir "$folder"
cp "$PROGRAMS/walk" "$folder/"
frontends=valgrind
[ ! -e "$BUILD/frontends/memspy-native.so" ] || frontends='valgrind native'
for frontend in $frontends; do
	profile_quiet $frontend --frontend $frontend -- "$folder/walk"
	expect $frontend <<'END'
code('walk').writes == 16000
END
done
finish
