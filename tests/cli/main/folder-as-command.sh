# A folder, or a program that no shell could start, is no program to profile.
mkdir sort broken
: >broken/sortt
chmod +x broken/sortt
"$MEMSPY" ./sort
echo "exit status $?"
PATH=broken:$PATH "$MEMSPY" sortt
echo "exit status $?"
