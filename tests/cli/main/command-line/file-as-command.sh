# A program's file in place of a command is refused, with the command that profiles it.
cp /bin/true ./mine && "$MEMSPY" ./mine
