# The interval of code that makes nearly all references allows for a short phase of other code that no window has seen.
. "$SRC/tests/cli/accuracy/lib.bash"
python3 - <<'END' >beside.lackey
for i in range(200000):
    print("I  400000,4\n L %x,8" % (0x1000000 + i * 64 % (1 << 20) if i % 4 == 0 else 0x2000000))
    for k in range(300 if i == 100000 else 0):
        print("I  500000,4\n L %x,8" % (0x3000000 + k * 64))
END
whole_and_sampled beside.lackey 1K --l1 4K,4,64
python3 - <<'END'
import json
def codes(run):
    return json.load(open(f"{run}.json"))["code"]
def references(code):
    return sum(code["references"].values())
true = max(codes(1), key=references)
all_references = sum(references(code) for code in codes(1))
print(len(codes(1)), "functions, the first has less than all:", references(true) < all_references, true["stall_share"] < 1)
for run in range(2, 6):
    first = max(codes(run), key=references)
    shares = first["intervals"]
    for key, share in ("reference_share", references(true) / all_references), ("stall_share", true["stall_share"]):
        if not shares[key]["low"] <= share <= shares[key]["high"] or shares[key]["low"] < 0.95:
            print(run, key, share, shares[key])
END
