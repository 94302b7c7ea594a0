# SVE under an emulator: whole runs of memspy whose program, with the runtime in it, qemu-aarch64 runs. Its system calls keep
# what Linux's lose, so the runtime is built with calls that lose it too (svc.h). Registers as short, as usual and as long as
# there may be.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/native/wide.bash"
here=$SRC/tests/cli/native
gcc -std=gnu17 -O1 -g -Wall -Wextra -o wide "$here/wide.c" || fail "gcc wide.c"
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
