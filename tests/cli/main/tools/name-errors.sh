# tools/check-names, on a small tree: a public name without its folder's prefix, a prefix of two folders and a type that is
# defined twice are reported. Static names, local types and what a sub-folder defines for its parent are right.
mkdir -p tree/tools tree/src/ring/read tree/frontends
cd tree || exit 1
cp "$SRC/tools/check-names" tools/check-names
printf 'src/ring: ms_ring\nsrc/ring/read: ms_read\nfrontends: ms_front\n' >tools/modules
cat >src/ring/ring.h <<'END'
struct ms_ring {
	int size;
};
enum ms_ring_state { FREE, FULL };
struct ms_ring *ms_ring_open(int size);
int ms_ring_read(struct ms_ring *ring);
END
cat >src/ring/ring.c <<'END'
static int count;
struct pair { int a, b; };
struct ms_ring *ms_ring_open(int size) { struct pair p = { size, 0 }; return p.a ? (void *)0 : (void *)&count; }
END
printf 'int ms_ring_read(struct ms_ring *ring) { return ring->size; }\n' >src/ring/read/read.c
tools/check-names
echo "status $?"

cat >src/ring/wrong.c <<'END'
int total = 3;
const char *ms_read_name(int n) { return n ? "a(b" : 0; }
struct pair { char c; };
__attribute__((noinline)) void
ringing(void)
{
}
END
printf 'struct block { int x; };\n' >frontends/block.h
printf 'src/other: ms_ring\n' >>tools/modules
tools/check-names
echo "status $?"
