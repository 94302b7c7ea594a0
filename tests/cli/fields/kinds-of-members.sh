# tests/programs/member-use.cc: base classes, unions, bit-fields, arrays of structures, vector loads; copies are left out,
# also those that the compiler makes. Each function accesses 4096 elements. The same without debug information: offsets
# instead of members.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/member-use" >/dev/null
cp "$PROGRAMS/member-use" bare && strip -g bare
"$MEMSPY" run -q --observed-lines all --db bare.db --l1 32K,8,64 --ll 1M,16,64 ./bare >/dev/null
show() { "$MEMSPY" fields --db "$1" "$2" --csv | tr -d '\r' | cut -d, -f2-5,7,8,12-; }
echo "base class, array of structures:"
show r.db soldiers
echo "union and bit-fields; their word can be read as a whole:"
show r.db values | cut -d, -f1-6 | grep -E ',(tag|as|priority),'
echo "vector loads:"
show r.db points
echo "elements of a vector:"
show r.db crowd | cut -d, -f1-4
echo "only copied:"
show r.db copies
echo "assigned as a whole, then a member is read:"
show r.db sorted
echo "without debug information:"
soldiers=$("$MEMSPY" data --db bare.db --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["data"][0]["name"])')
show bare.db "$soldiers"
"$MEMSPY" fields --db bare.db "$soldiers" | grep -E '^Type|not accessed'
