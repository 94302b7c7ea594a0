cp /bin/true ./mine && "$MEMSPY" ./mine
