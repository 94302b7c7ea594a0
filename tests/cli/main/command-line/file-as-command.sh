# A program's path in place of a command profiles it, with its arguments; options of memspy run precede it only after "run".
cp /bin/echo ./mine && "$MEMSPY" ./mine -n some words 2>err.txt
echo
grep -e '^Program' -e ', exit 0$' err.txt | sed 's/Run:.*, exit/Run: exit/'
"$MEMSPY" ./none
echo "status $?"
