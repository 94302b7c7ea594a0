# A folder, or a file that cannot be executed, in place of a command is not taken for a program to profile.
mkdir sort broken
: >broken/sortt
chmod +x broken/sortt
"$MEMSPY" ./sort
echo "exit status $?"
PATH=broken:$PATH "$MEMSPY" sortt
echo "exit status $?"
