"""documented-fields.py PAGE JSON... [--columns FILE] [--omit FIELD] [--any-level]

Prints which fields of JSON files, and which columns of CSV (one a line in FILE), are not in the tables of a page of
docs/formats, and which of the page do not exist. Fields are those before the page's section "CSV".

--omit       this field may differ: a pattern documents it, or only other runs have it
--any-level  the page has LEVEL_ instead of the name of a cache level
"""
import argparse
import json
import re


def fields_of(value):
    if isinstance(value, dict):
        return set(value).union(*map(fields_of, value.values()))
    if isinstance(value, list):
        return set().union(*map(fields_of, value))
    return set()


def documented(text):
    cells = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    return {part for cell in cells for name in re.findall("`([^`]+)`", cell) for part in re.findall(r"\w+", name)}


parser = argparse.ArgumentParser()
parser.add_argument("page")
parser.add_argument("json", nargs="+")
parser.add_argument("--columns")
parser.add_argument("--omit", action="append", default=[])
parser.add_argument("--any-level", action="store_true")
args = parser.parse_args()

with open(args.page) as page:
    fields, _, columns = page.read().partition("## CSV")
found = set()
for name in args.json:
    with open(name) as file:
        found |= fields_of(json.load(file))
print("fields", sorted((found ^ documented(fields)) - set(args.omit)))
if args.columns:
    with open(args.columns) as file:
        found = set(file.read().split())
    if args.any_level:
        found = {re.sub(r"^L\d_", "LEVEL_", column) for column in found}
    print("columns", sorted(found ^ documented(columns)))
