# The name of a program in this folder is no command, and is not found in PATH: the message says how to run it.
cp "$PROGRAMS/walk" there
"$MEMSPY" there
"$MEMSPY" run there
