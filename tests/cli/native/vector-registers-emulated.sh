# SVE registers of the shortest, usual and longest length keep their values under qemu-aarch64. Its system calls keep what Linux
# discards, so the runtime is built with calls that discard it, too (svc.h).
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/native/vector-registers.bash"
here=$SRC/tests/cli/native
gcc -std=gnu17 -O1 -g -Wall -Wextra -o wide "$here/vector-registers.c" || fail gcc
make -s -C "$SRC" BUILD="$PWD/lossy" NATIVE_ARCH_CFLAGS="-mno-outline-atomics -ffixed-x18 -include $here/svc.h -Wa,-I$here" \
	native-frontend >made 2>&1 || fail "make: $(cat made)"
export RUNTIME=$PWD/lossy/frontends/memspy-native.so MEMSPY_LIBDIR=$PWD/emulated
mkdir emulated
gcc -std=gnu17 -O1 -Wall -Wextra -shared -fPIC -o emulated/memspy-native.so "$here/emulated.c" || fail "gcc emulated.c"

for length in 16 32 256; do
	export EMULATOR="$(command -v qemu-aarch64) -cpu max,sve-default-vector-length=$length"
	# shellcheck disable=SC2086 # they are words
	wide_same $EMULATOR
done
finish
