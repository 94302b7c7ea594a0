# First uses and last-level hits are estimated right when memory is first used between windows: one function writes 1 MiB,
# others read what was written so far, and the last level keeps all of it.
. "$SRC/tests/cli/accuracy/lib.bash"
python3 - <<'END' >walk.lackey
import random
r = random.Random(3)
written = 0
for i in range(400000):
    if i % 24 == 0:
        print("I  400000,4\n S %x,8" % (0x1000000 + written * 64))
        written += 1
    elif i % 3 == 0:
        print("I  400100,4\n L %x,8" % (0x1000000 + r.randrange(written) * 64))
    else:
        print("I  400200,4\n L %x,8" % (0x1000000 + r.randrange(min(written, 256)) * 64))
END
whole_and_sampled walk.lackey 2K --l1 4K,4,64 --ll 1M,16,64
python3 - <<'END'
import json
def firsts(run):
    return {code["name"]: code["levels"][1]["causes"]["first"] for code in json.load(open(f"{run}.json"))["code"]}
true = firsts(1)["0x400000"]
for run in range(2, 6):
    found = firsts(run)
    writes, reads = found["0x400000"], found["0x400100"] + found["0x400200"]
    print("who writes" if abs(writes - true) < 0.2 * true and reads < 0.2 * true else f"{writes} of {true}, readers {reads}")
END
