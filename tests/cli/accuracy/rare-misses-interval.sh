# The interval of misses allows for short phases of misses between windows, in code that otherwise hits.
. "$SRC/tests/cli/accuracy/lib.bash"
python3 - <<'END' >rare.lackey
import random
r = random.Random(5)
first = {r.randrange(1000, 199000): code for code in range(60)}
for i in range(200000):
    code = i % 60
    print("I  %x,4\n L %x,8" % (0x400000 + code * 256, 0x1000000 + code * 8))
    for k in range(20 if i in first else 0):
        print("I  %x,4\n L %x,8" % (0x400000 + first[i] * 256, 0x1010000 + first[i] * 2048 + k * 64))
END
whole_and_sampled rare.lackey 1K --l1 4K,4,64 --ll 64K,4,64
python3 - <<'END'
import json
def codes(run):
    return {code["name"]: code for code in json.load(open(f"{run}.json"))["code"]}
def missed(code, level):
    return sum(code["levels"][level]["misses"].values())
true = codes(1)
for level in range(2):
    inside, few = [], 0
    for run in range(2, 6):
        for name, code in codes(run).items():
            within = code["intervals"]["levels"][level]["misses"]
            inside.append(within["low"] - 0.5 <= missed(true[name], level) <= within["high"] + 0.5)
            few += missed(code, level) < 10
    part = sum(inside) / len(inside)
    print("enough" if part >= 0.95 and len(inside) == 240 else f"only {part} of {len(inside)}", "most unseen" if few > 120 else few)
END
