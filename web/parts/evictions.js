// evictions.js - evictions between data structures: a small heat map for each level, and the source lines.

const EVICTION_DATA = 14;

// In a sampled run: the interval of the number of lines.
function pairBetween(pair) {
	return pair.low === undefined || pair.low === null ? "" : betweenCounts(pair);
}

// The same for data, and for a level: a figure by its name.
function intervalOf(entry, figure) {
	return entry.intervals ? betweenCounts(entry.intervals[figure]) : "";
}

function evictionMatrix(run, all) {
	const level = all.name;
	const pairs = run.data.evictions.pairs.filter((p) => p.level === level);
	const about = run.data.evictions.data.filter((d) => d.level === level);
	const least = Math.max(1, SMALL * about.reduce((sum, d) => sum + d.evicted, 0));
	const victims = about
		.filter((d) => d.evicted >= least)
		.sort((a, b) => b.evicted - a.evicted)
		.slice(0, EVICTION_DATA);
	const evictors = about
		.filter((d) => d.evicts >= least)
		.sort((a, b) => b.evicts - a.evicts)
		.slice(0, EVICTION_DATA);
	const of = new Map(pairs.map((p) => [p.evicted + "\u0000" + p.evicted_by, p]));
	const cell = (victim, evictor) => {
		const pair = of.get(victim.name + "\u0000" + evictor.name);
		if (!pair) return h("td", { class: "figure none" });
		const words =
			evictor.name +
			" pushes out " +
			victim.name +
			": " +
			exact(pair.evictions) +
			" lines, " +
			percent(pair.share, 1) +
			" of its evictions" +
			(pairBetween(pair) && ", 95%: " + pairBetween(pair) + " lines");
		return h(
			"td",
			{
				class: "figure heat heat-" + Math.max(1, Math.ceil(pair.share * STEPS)),
				title: words,
				"aria-label": words,
				"data-between": pairBetween(pair) || null,
			},
			// Below it is a number of lines: the sign distinguishes them.
			(pair.share * 100).toFixed(1) + (pairBetween(pair) ? "%" : ""),
		);
	};
	const total = (n, known) => h("td", { class: "figure", title: exact(n), "data-between": known || null }, count(n));
	const linkTo = (d, short, named = name) => {
		const text = named(short, { title: d.name });
		return run.rowOfData.has(d.name) ? link(dataAddress(run, run.rowOfData.get(d.name)), text) : text;
	};
	const cut = (list, room) =>
		shortened(
			list.map((d) => d.name),
			room,
		);
	const heads = cut(victims, HEADING),
		sides = cut(evictors, besideRow());
	return h(
		"div",
		{ class: "scroll free" },
		h(
			"table",
			{ class: "matrix" },
			h("caption", { class: "hidden" }, "Evictions between data, " + level),
			h(
				"thead",
				{},
				h(
					"tr",
					{},
					h("th", { class: "corner", scope: "col" }, "Evicted by"),
					h("th", { scope: "col", class: "data", title: HELP.evicts }, "all"),
					victims.map((v, k) => h("th", { scope: "col", class: "data" }, linkTo(v, heads[k], headingName))),
				),
				h(
					"tr",
					{ class: "total" },
					h("th", { scope: "row" }, "evictions"),
					total(all.evictions, intervalOf(all, "evictions")),
					victims.map((v) => total(v.evicted, intervalOf(v, "evicted"))),
				),
			),
			h(
				"tbody",
				{},
				evictors.map((e, i) =>
					h(
						"tr",
						{},
						h("th", { scope: "row" }, linkTo(e, sides[i])),
						total(e.evicts, intervalOf(e, "evicts")),
						victims.map((v) => cell(v, e)),
					),
				),
			),
		),
	);
}

function evictionPlaces(run, level) {
	const places = run.data.evictions.places.filter((p) => p.level === level);
	return (
		places.length > 0 &&
		h(
			"section",
			{},
			h("h4", {}, "Where"),
			new ListTable({
				caption: "Where lines are evicted from " + level,
				rows: places,
				words: (p) => p.evicted + " " + p.evicted_by + " " + p.code,
				columns: [
					{
						key: "evicted",
						label: "Evicted",
						text: true,
						room: besideRow(),
						value: (p) => p.evicted,
						cell: (p) => dataLink(run, p.evicted),
					},
					{
						key: "by",
						label: "By",
						text: true,
						room: besideRow(),
						value: (p) => p.evicted_by,
						cell: (p) => dataLink(run, p.evicted_by),
					},
					{
						key: "evictions",
						label: "Evictions",
						help: "evicts",
						value: (p) => p.evictions,
						between: run.run.sampling ? pairBetween : null,
					},
					{
						key: "share",
						label: "of its",
						value: (p) => p.share,
						cell: (p) => share(p.share),
					},
					{
						key: "code",
						label: "Code",
						text: true,
						room: besideRow(),
						value: (p) => p.code,
						cell: (p) => codeLink(run, p.code),
					},
					{
						key: "line",
						label: "Line",
						text: true,
						value: (p) => baseName(p.file) + ":" + p.line,
						cell: (p) => sourceLink(run, p.file, p.line),
					},
				],
			}).element,
		)
	);
}

function evictionsPart(run) {
	const levels = run.data.evictions.levels.filter((l) => l.evictions > 0);
	if (levels.length === 0) return [helpFor("evictions"), h("p", {}, "No line was evicted from any level.")];
	return [
		helpFor("evictions"),
		samplingNote(run, "evictions"),
		levels.map((l) =>
			h(
				"section",
				{},
				h("h3", {}, l.name),
				h(
					"p",
					{},
					h("b", {}, count(l.evictions)),
					" evictions",
					intervalText(intervalOf(l, "evictions")),
					", ",
					percent(l.by_itself, l.evictions),
					" of them by the same data; replacement misses here cost ",
					h("b", {}, count(l.replacement_stall_cycles)),
					" cycles",
					intervalText(intervalOf(l, "replacement_stall_cycles")),
					".",
				),
				evictionMatrix(run, l),
				evictionPlaces(run, l.name),
			),
		),
	];
}
