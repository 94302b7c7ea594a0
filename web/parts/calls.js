// calls.js - who calls a function, and what it calls, by stall time: of runs with call paths.

// Sums over the call paths: {whole, callers, callees}. A call inside the same call counts once.
function callSums(run, code) {
	const t = run.tables.paths,
		parent = (i) => t.get(i, "parent"),
		codeOf = (i) => t.get(i, "code"),
		sums = { whole: 0, callers: new Map(), callees: new Map() },
		isInside = (i, holds) => {
			for (let at = parent(i); at !== null; at = parent(at)) if (holds(at)) return true;
			return false;
		},
		add = (map, key, i) => map.set(key, (map.get(key) || 0) + t.get(i, "inclusive"));
	for (let i = 0; i < t.length; i++) {
		const own = codeOf(i),
			above = parent(i),
			caller = above === null ? code : codeOf(above); // the outermost function has none
		if (own === code && !isInside(i, (at) => codeOf(at) === code)) sums.whole += t.get(i, "inclusive");
		if (own === caller || (own !== code && caller !== code)) continue;
		if (above === null || isInside(i, (at) => codeOf(at) === own && parent(at) !== null && codeOf(parent(at)) === caller)) continue;
		if (own === code) add(sums.callers, caller, i);
		else add(sums.callees, own, i);
	}
	return sums;
}

function callList(run, title, sums) {
	const label = ([code]) => pathLabel(run, code);
	return (
		sums.size > 0 &&
		new ListTable({
			caption: title,
			rows: Array.from(sums).sort((a, b) => b[1] - a[1]),
			words: label,
			address: ([code]) => "#" + (code === null ? "flame" : codeAddress(run, code)),
			columns: [
				{ key: "name", label: title.slice(0, -1), text: true, value: label, cell: (row) => name(label(row)) },
				{ key: "stall", label: weight(run).head, help: "stall", value: (row) => row[1], cell: (row) => percent(row[1], run.totals.stall_cycles) },
			],
		}).element
	);
}

function callsIn(run, code) {
	if (!run.tables.paths || run.tables.paths.length === 0) return null;
	const { whole, callers, callees } = callSums(run, code);
	return (
		whole > 0 && [
			h("h4", {}, "Callers and callees"),
			h("p", {}, "With what it calls: ", h("b", { id: "figure-inclusive" }, percent(whole, run.totals.stall_cycles)), " of " + weight(run).words + "."),
			callList(run, "Callers", callers),
			callList(run, "Callees", callees),
		]
	);
}

// A served page of a large run asks for the call paths.
function callsOf(part, code) {
	const run = part.whole || part,
		section = h("section", { id: "calls" }),
		show = () => add(section, [callsIn(run, code)]),
		coming = loading(run, ["tree"]);
	if (coming) coming.then(show, () => {});
	else show();
	return section;
}
