// detail.js - the details of one bin, function or data structure: Figure 3 of the 1993 paper.

// A row's name as an argument: "=NAME" where NAME alone could mean another name that contains it.
function exactly(table, row) {
	const own = table.get(row, "name");
	for (let i = 0; i < table.length; i++) {
		const other = table.get(i, "name");
		if (other !== own && other.includes(own)) return "=" + quoted(own);
	}
	return quoted(own);
}

// The selection: {code, data} as rows, null for all. Its figures come from the table that has
// their sums.
class Choice {
	constructor(run, code, data) {
		this.run = run;
		this.code = code;
		this.data = data;
		this.of = code !== null && data !== null ? "bins" : code !== null ? "code" : "data";
		this.table = run.tables[this.of];
		this.row = this.of === "bins" ? run.bin(code, data) : this.of === "code" ? code : data;
	}

	get exists() {
		return this.row >= 0 && this.row < this.table.length;
	}

	get(path) {
		return this.exists ? this.table.get(this.row, path) || 0 : 0;
	}

	get knowsReferences() {
		return knowsReferences(this.run, this.of);
	}

	get references() {
		return this.get("references.read") + this.get("references.write");
	}

	misses(level) {
		return this.get("levels." + level + ".misses.read") + this.get("levels." + level + ".misses.write");
	}

	bounds(figure) {
		return boundsOf(this.run, this.of, this.row, figure);
	}

	title() {
		const run = this.run;
		if (this.of === "bins") return [name(run.dataName(this.data)), " in ", name(run.codeName(this.code))];
		return name(this.of === "code" ? run.codeName(this.code) : run.dataName(this.data));
	}

	command() {
		const run = this.run,
			words = ["memspy show"];
		if (this.data !== null) words.push("--data " + exactly(run.dataTable, this.data));
		if (this.code !== null) words.push("--code " + exactly(run.code, this.code));
		if (run.run.id !== null) words.push("@" + run.run.id);
		return words.join(" ");
	}
}

// id: for tests and users' scripts.
function figure(label, value, id, help) {
	return [h("dt", { title: HELP[help] || null }, label), h("dd", { id: "figure-" + id }, value)];
}

function timesOf(choice) {
	const run = choice.run,
		stall = choice.get("stall_cycles"),
		list = [];
	if (choice.code !== null && computingIsKnown(run)) {
		const compute = run.code.get(choice.code, "compute_cycles"),
			all = run.code.get(choice.code, "stall_cycles"),
			bounds = (figure) => (run.run.sampling ? boundsOf(run, "code", choice.code, figure) : null);
		list.push(
			figure(
				"Time in this code",
				run.run.hardware
					? [
							amount(run, compute + all),
							": computing ",
							amount(run, compute),
							", waiting ",
							amount(run, all),
						]
					: [
							count(compute + all),
							" cycles: computing ",
							count(compute),
							intervalText(computeBetween(bounds("compute_cycles"))),
							", waiting ",
							count(all),
							intervalText(betweenCounts(bounds("stall_cycles"))),
						],
				"elapsed",
				"compute",
			),
		);
	}
	list.push(
		figure(
			weight(run).title + " here",
			[amount(run, stall), intervalText(betweenCounts(choice.bounds("stall_cycles")))],
			"stall",
			"stall",
		),
	);
	list.push(
		figure(
			"of all " + weight(run).words,
			[percent(stall, run.totals.stall_cycles), intervalText(betweenShares(choice.bounds("stall_share")))],
			"stall-share",
			"stall",
		),
	);
	run.levels.forEach((level, i) => {
		const all = run.total("levels." + i + ".misses.read") + run.total("levels." + i + ".misses.write");
		list.push(
			figure(
				"of all " + level.name + " misses",
				[
					percent(choice.misses(i), all),
					intervalText(betweenShares(choice.bounds("levels." + i + ".miss_share"))),
				],
				level.name + "-share",
				"misses",
			),
		);
	});
	const all = run.total("references.read") + run.total("references.write");
	if (run.run.hardware) list.push(figure("Samples", count(choice.get("samples")), "samples"));
	else if (choice.knowsReferences)
		list.push(
			figure(
				"References",
				[
					count(choice.references),
					" (",
					percent(choice.references, all),
					" of all)",
					intervalText(betweenReferences(run, choice.bounds("reference_share"))),
					": reads ",
					count(choice.get("references.read")),
					intervalText(betweenReferences(run, choice.bounds("reference_shares.read"))),
					", writes ",
					count(choice.get("references.write")),
					intervalText(betweenReferences(run, choice.bounds("reference_shares.write"))),
				],
				"references",
				"references",
			),
		);
	const average = (cycles, references) => (references > 0 ? fixed(cycles / references, 1) : "-");
	if (!run.run.hardware && choice.knowsReferences)
		list.push(
			figure(
				"Stall per reference",
				[
					average(stall, choice.references),
					" cycles",
					intervalText(betweenMeans(choice.bounds("stall_per_reference"))),
					": reads ",
					average(choice.get("stall.read"), choice.get("references.read")),
					", writes ",
					average(choice.get("stall.write"), choice.get("references.write")),
				],
				"average",
				"average",
			),
		);
	return h("dl", { class: "figures" }, list);
}

// The interval of the number of misses of a row.
function replacerBetween(table, row) {
	const low = table.get(row, "low");
	return low === null ? null : betweenCounts({ low, high: table.get(row, "high") }) || null;
}

// The data that represents accesses between windows.
function isNotSeen(run, data) {
	return Boolean(run.run.sampling) && data !== null && run.dataName(data) === "<not seen>";
}

// The evictors of one level: bars of the first few.
function replacersOf(choice, level) {
	const run = choice.run,
		of = choice.of === "bins" ? "bin" : "data";
	if (choice.of === "code") return null;
	const table = run.tables[of + "_replaced_by"];
	const rows = run.rowsOf(of + "_replaced_by", of, choice.row).filter((row) => table.get(row, "level") === level);
	const all = choice.get("levels." + level + ".causes.replacement");
	if (rows.length === 0)
		return (
			all > 0 &&
			h(
				"p",
				{ class: "quiet" },
				"The evictors of entries this small are not in this page; the command below lists them.",
			)
		);
	const nameOf = (row) => (table.get(row, "by") === null ? "others" : run.dataName(table.get(row, "by"))),
		short = shortened(rows.map(nameOf), besideRow());
	return h(
		"div",
		{ class: "replacers" },
		h("h5", {}, "Evicted by references to"),
		h(
			"table",
			{ class: "bars" },
			h("caption", { class: "hidden" }, "Evicted from " + run.levels[level].name + " by"),
			h(
				"tbody",
				{},
				rows.map((row, i) => {
					const by = table.get(row, "by"),
						n = table.get(row, "count"),
						itself = by !== null && by === choice.data;
					return h(
						"tr",
						{},
						h(
							"th",
							{ scope: "row" },
							by === null
								? "others"
								: link(dataAddress(run, by), name(short[i], { title: nameOf(row) })),
							itself && " (itself)",
						),
						h(
							"td",
							{ class: "wide" },
							bar(
								[
									{
										value: n,
										of: "replacement",
										label: count(n) + missWord(n),
									},
								],
								all,
							),
						),
						h("td", { class: "figure", title: exact(n) }, percent(n, all)),
						isSampled(run) && h("td", { class: "figure", "data-between": replacerBetween(table, row) }, count(n)),
					);
				}),
			),
		),
		rows.some((row) => isNotSeen(run, table.get(row, "by"))) &&
			h(
				"p",
				{ class: "quiet" },
				"<not seen>: evicted between two windows, by unknown data. It has no interval; any of it may belong to the others, and the high ends of their intervals include it.",
			),
	);
}

function levelOf(choice, level, i) {
	const misses = choice.misses(i),
		get = (path) => choice.get(path),
		of = level.name + "-";
	const extra = [];
	if (choice.run.several)
		extra.push(
			"false sharing ",
			count(get("levels." + i + ".false_sharing")),
			", true sharing ",
			count(get("levels." + i + ".true_sharing")),
			", another cache answered ",
			count(get("levels." + i + ".peer")),
			", another node ",
			count(get("levels." + i + ".remote")),
		);
	if (level.prefetch > 0)
		extra.push(
			extra.length ? ", " : "",
			"a prefetcher would cover ",
			count(get("levels." + i + ".covered")),
		);
	return h(
		"section",
		{ class: "level" },
		h("h4", {}, level.name),
		h(
			"p",
			{},
			h("b", { id: "figure-" + of + "misses" }, count(misses)),
			missWord(misses),
			intervalText(betweenCounts(choice.bounds("levels." + i + ".misses"))),
			choice.knowsReferences && [
				", rate ",
				h("b", { id: "figure-" + of + "rate" }, percent(misses, choice.references)),
			],
			intervalText(betweenShares(choice.bounds("levels." + i + ".miss_rate"), 2)),
		),
		misses > 0 && causesBar(get, i, (path) => choice.bounds(path)),
		extra.length > 0 && h("p", { class: "quiet" }, extra),
		misses > 0 && replacersOf(choice, i),
	);
}

function occupancyOf(run, data) {
	const found = [],
		wanted = run.dataName(data);
	if (run.data.evictions === null) return "not known: the run was not simulated";
	for (const level of run.data.evictions.occupancy) {
		const one = level.occupants.find((o) => o.data === wanted);
		if (one && level.lines > 0)
			found.push(
				level.level +
					" " +
					percent(one.mean_lines, level.lines) +
					" on average, at most " +
					percent(one.peak_lines, level.lines),
			);
	}
	return found.length ? found.join("; ") + (run.run.sampling ? " (contents that windows found; no interval)" : "") : "less than a hundredth of each level, or not known";
}

function aboutData(run, data) {
	const t = run.dataTable,
		get = (path) => t.get(data, path),
		objects = get("objects"),
		frames = run.rowsOf("allocated_by", "data", data);
	const f = run.tables.allocated_by;
	return h(
		"section",
		{},
		h("h4", {}, "The data"),
		h(
			"dl",
			{ class: "figures" },
			get("full_name") !== get("name") && figure("Full name", name(get("full_name")), "full-name"),
			figure("Kind", [get("kind"), get("type") ? [", type ", name(get("type"))] : null], "kind"),
			get("reason") && figure("Why unattributed", name(get("reason")), "reason"),
			objects > 0 &&
				figure(
					"Objects",
					[
						count(objects),
						", ",
						size(get("bytes")),
						" in all, at most ",
						size(get("peak_bytes")),
						" at a time, largest ",
						size(get("largest")),
						", mean ",
						size(Math.floor(get("bytes") / objects)),
					],
					"objects",
					"objects",
				),
			figure("In the caches", occupancyOf(run, data), "occupancy", "occupancy"),
		),
		frames.length > 0 && [
			h("h5", {}, "Allocated in"),
			h(
				"ol",
				{ class: "frames" },
				frames.map((row) =>
					h(
						"li",
						{},
						name(f.get(row, "function")),
						" ",
						h(
							"span",
							{ class: "quiet" },
							name(
								f.get(row, "file") !== null
									? baseName(f.get(row, "file")) +
											":" +
											f.get(row, "line")
									: baseName(f.get(row, "module")) +
											"+0x" +
											f
												.get(row, "offset")
												.toString(16),
							),
						),
					),
				),
			),
		],
	);
}

// References, and misses by level, of the rows of a table.
function countColumns(run, t) {
	const column = (key, label, help, path, interval, text) => ({
		key,
		label,
		help,
		value: (r) => t.get(r, path + ".read") + t.get(r, path + ".write"),
		between: betweenOf(run, t, interval, text),
	});
	const references = column(
		"references",
		run.run.hardware ? "Events" : "References",
		"references",
		"references",
		"reference_share",
		(b) => betweenReferences(run, b),
	);
	return (knowsReferences(run, "bins") ? [references] : []).concat(
		run.levels.map((level, i) => {
			const path = "levels." + i + ".misses";
			return column(level.name, level.name, "misses", path, path, betweenCounts);
		}),
	);
}

function linesOf(choice) {
	const run = choice.run,
		t = run.tables.bin_lines;
	if (choice.of !== "bins") return null;
	const rows = run.rowsOf("bin_lines", "bin", choice.row),
		all = choice.get("stall_cycles");
	return (
		rows.length > 0 &&
		h(
			"section",
			{},
			h("h4", {}, "Source lines"),
			new ListTable({
				caption: "Lines of this bin",
				rows,
				columns: [
					{
						key: "line",
						label: "Line",
						text: true,
						value: (r) => baseName(t.get(r, "file")),
						cell: (r) => sourceLink(run, t.get(r, "file"), t.get(r, "line")),
					},
					{
						key: "stall",
						label: weight(run).head,
						help: "stall",
						value: (r) => t.get(r, "stall_cycles"),
						cell: (r) => percent(t.get(r, "stall_cycles"), all),
					},
				].concat(
					isSampled(run) ? [Object.assign(stallColumn(run, t), { key: "whole", label: "of all" })] : [],
					countColumns(run, t),
				),
			}).element,
		)
	);
}

// The data of a function, or the code that uses a data structure.
function othersOf(choice) {
	const run = choice.run,
		b = run.bins;
	if (choice.of === "bins") return null;
	const mine = choice.of === "code" ? "code" : "data",
		other = mine === "code" ? "data" : "code";
	const label = (r) => (other === "data" ? run.dataName(b.get(r, "data")) : run.codeName(b.get(r, "code")));
	return h(
		"section",
		{},
		h("h4", {}, other === "data" ? "Its data" : "Code that uses it"),
		new ListTable({
			caption: other === "data" ? "Its data" : "Code that uses it",
			rows: run.rowsOf("bins", mine, choice.row),
			words: label,
			address: (r) => "#" + binAddress(run, b.get(r, "code"), b.get(r, "data")),
			columns: [
				{
					key: "name",
					label: other === "data" ? "Data" : "Code",
					text: true,
					value: label,
					cell: (r) => name(label(r)),
				},
				{
					key: "stall",
					label: weight(run).head,
					help: "stall",
					value: (r) => b.get(r, "stall_cycles"),
					cell: (r) => percent(b.get(r, "stall_cycles"), run.totals.stall_cycles),
					between: betweenOf(run, b, "stall_share", betweenShares),
				},
			].concat(countColumns(run, b)),
		}).element,
		run.lacksBins &&
			h("p", { class: "quiet" }, "Of the pairs of code and data, the " + grouped(run.bins.length) + " largest of " + grouped(run.entries("bins")) + "; the command below lists all."),
	);
}

function detailOf(choice, close) {
	const run = choice.run;
	if (choice.of !== "bins" && !choice.exists) return [h("p", {}, "There is no such entry in this run."), close];
	return [
		h("div", { class: "detail-head" }, h("h2", {}, choice.title()), close),
		choice.of === "bins" &&
			h(
				"p",
				{ class: "quiet" },
				link(dataAddress(run, choice.data), "all of ", name(run.dataName(choice.data))),
				" \u00b7 ",
				link(codeAddress(run, choice.code), "all of ", name(run.codeName(choice.code))),
			),
		choice.code !== null &&
			h(
				"p",
				{ class: "quiet" },
				name(baseName(run.code.get(choice.code, "module")), {
					title: run.code.get(choice.code, "module"),
				}),
				run.code.get(choice.code, "file") !== null && [
					", ",
					sourceLink(
						run,
						run.code.get(choice.code, "file"),
						run.code.get(choice.code, "line"),
					),
				],
			),
		!choice.exists &&
			h(
				"p",
				{},
				run.lacksBins ? "This pair is not in this page; the command below shows it." : "This code makes no references to this data.",
			),
		timesOf(choice),
		timingOf(choice),
		run.levels.map((level, i) => levelOf(choice, level, i)),
		detailNote(run),
		choice.data !== null && aboutData(run, choice.data),
		choice.of === "data" && lineUseOf(run, choice.data),
		choice.of === "data" && intrinsicOf(run, choice.data),
		choice.of === "data" && layoutOf(run, choice.data),
		choice.of === "data" && sharedLinesOf(run, choice.data),
		choice.of === "data" && addressHeat(run, choice.data),
		linesOf(choice),
		othersOf(choice),
		choice.of === "code" && callsOf(run, choice.code),
		choice.of === "code" && assemblyOf(run, choice.code),
		renamePart(choice),
		h("p", { class: "quiet" }, "As text: ", h("code", {}, name(choice.command()))),
	];
}
