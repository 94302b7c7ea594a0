// lists.js - all code, and all data.

// The table of which rows have intervals.
function kindOf(run, t) {
	return Object.keys(run.tables).find((key) => run.tables[key] === t);
}

// How a column shows the interval of its figure; null: the run has none.
function betweenOf(run, t, figure, text) {
	if (!isSampled(run)) return null;
	const of = kindOf(run, t);
	return (r) => text(boundsOf(run, of, r, figure));
}

// Only in sampled runs: the miss rate of a level is the most accurate figure.
function rateColumn(run, t, level, i) {
	const at = "levels." + i + ".",
		rate = (r) => {
			const n = t.get(r, "references.read") + t.get(r, "references.write");
			return n > 0 ? (t.get(r, at + "misses.read") + t.get(r, at + "misses.write")) / n : null;
		};
	return {
		key: level.name + "rate",
		label: level.name + " rate",
		help: "rate",
		value: rate,
		cell: (r) => (rate(r) === null ? "-" : (rate(r) * 100).toFixed(2) + "%"),
		between: betweenOf(run, t, at + "miss_rate", (b) => betweenShares(b, 2)),
	};
}

function missesColumn(run, t, level, i) {
	const at = "levels." + i + ".misses";
	return {
		key: level.name,
		label: level.name + " misses",
		help: "misses",
		value: (r) => (t.get(r, at + ".read") || 0) + (t.get(r, at + ".write") || 0),
		between: betweenOf(run, t, at, betweenCounts),
	};
}

function causeColumns(run, t, level, i) {
	const of = (cause, label) => {
		const path = "levels." + i + ".causes." + cause;
		return {
			key: level.name + cause,
			label,
			help: cause,
			value: (r) => t.get(r, path) || 0,
			between: betweenOf(run, t, path, betweenCounts),
		};
	};
	return [of("first", "first"), of("replacement", "replaced")].concat(run.several ? of("invalidation", "invalidated") : []);
}

function figureColumns(run, t) {
	const sum = (paths) => (row) => paths.reduce((s, path) => s + (t.get(row, path) || 0), 0),
		columns = [];
	if (run.range) return run.levels.flatMap((level, i) => [missesColumn(run, t, level, i)].concat(run.rangeCauses ? causeColumns(run, t, level, i) : []));
	if (run.run.hardware) return [{ key: "samples", label: "Samples", value: (r) => t.get(r, "samples") }];
	if (isMeasured(run))
		columns.push(
			{
				key: "estimated",
				label: "Estimated",
				help: "estimated",
				value: (r) => t.get(r, "estimated_share") || 0,
				cell: (r) => ((t.get(r, "estimated_share") || 0) * 100).toFixed(1) + "%",
			},
			{
				key: "differs",
				label: "Differs",
				help: "differs",
				value: (r) => t.get(r, "differs") || 0,
				cell: (r) => ["", "more", "less"][t.get(r, "differs") || 0],
			},
		);
	const average = {
		key: "average",
		label: "Stall/ref.",
		help: "average",
		value: (r) => {
			const n = t.get(r, "references.read") + t.get(r, "references.write");
			return n > 0 ? t.get(r, "stall_cycles") / n : null;
		},
		cell: (r) => (average.value(r) === null ? "-" : fixed(average.value(r), 1)),
		between: betweenOf(run, t, "stall_per_reference", betweenMeans),
	};
	if (knowsReferences(run, t === run.code ? "code" : "data"))
		columns.push(
			{
				key: "references",
				label: "References",
				help: "references",
				value: sum(["references.read", "references.write"]),
				between: betweenOf(run, t, "reference_share", (b) => betweenReferences(run, b)),
			},
			average,
		);
	run.levels.forEach((level, i) => {
		columns.push(missesColumn(run, t, level, i));
		if (run.run.sampling) columns.push(rateColumn(run, t, level, i));
		columns.push(...causeColumns(run, t, level, i));
	});
	return columns;
}

function stallColumn(run, t) {
	return {
		key: "stall",
		label: weight(run).head,
		help: "stall",
		value: (r) => t.get(r, "stall_cycles"),
		cell: (r) =>
			h(
				"span",
				{
					title: run.run.hardware
						? amount(run, t.get(r, "stall_cycles"))
						: isMeasured(run)
							? duration(t.get(r, "stall_ns"))
							: exact(t.get(r, "stall_cycles")) + " cycles",
				},
				percent(t.get(r, "stall_cycles"), run.totals.stall_cycles),
			),
		between: betweenOf(run, t, "stall_share", betweenShares),
	};
}

function rowsOfTable(t) {
	return Array.from({ length: t.length }, (_, i) => i);
}

function codePart(run) {
	const t = run.code,
		words = (r) => t.get(r, "name");
	return [
		helpFor("code"),
		samplingNote(run, "code"),
		new ListTable({
			caption: "Functions",
			rows: rowsOfTable(t),
			words,
			address: (r) => "#" + codeAddress(run, r),
			columns: [
				{
					key: "name",
					label: "Function",
					text: true,
					help: "name",
					value: words,
					cell: (r) => name(words(r)),
				},
				stallColumn(run, t),
			].concat(
				computingIsKnown(run)
					? [
							{
								key: "compute",
								label: "Compute",
								help: "compute",
								value: (r) => t.get(r, "compute_cycles"),
								cell: (r) =>
									run.run.hardware
										? amount(run, t.get(r, "compute_cycles"))
										: count(t.get(r, "compute_cycles")),
								between: run.run.sampling
									? betweenOf(run, t, "compute_cycles", computeBetween)
									: null,
							},
						]
					: [],
				run.several && !run.range
					? [
							{
								key: "normalized",
								label: "Normalized",
								help: "normalized",
								value: (r) => t.get(r, "normalised_cycles"),
							},
						]
					: [],
				figureColumns(run, t),
				[
					{
						key: "module",
						label: "Module",
						text: true,
						value: (r) => baseName(t.get(r, "module")),
						cell: (r) => name(baseName(t.get(r, "module"))),
					},
				],
			),
		}).element,
	];
}

// Mean share by data of the first level for which the run has occupancy.
function occupancyColumns(run) {
	return (run.data.evictions === null ? [] : run.data.evictions.occupancy).map((level) => {
		const of = new Map(level.occupants.map((o) => [o.data, o.mean_lines / level.lines]));
		return {
			key: "in" + level.level,
			label: "in " + level.level,
			help: "occupancy",
			value: (r) => of.get(run.dataName(r)) || 0,
			cell: (r) => (of.has(run.dataName(r)) ? percent(of.get(run.dataName(r)), 1) : ""),
		};
	});
}

// In the first level with evictions. <not seen>, whose name does not help, is last.
function topReplacer(run, r) {
	const t = run.tables.data_replaced_by,
		rows = run.rowsOf("data_replaced_by", "data", r);
	const first = rows.filter((row) => t.get(row, "level") === t.get(rows[0], "level") && t.get(row, "by") !== null),
		seen = first.find((row) => !isNotSeen(run, t.get(row, "by")));
	return first.length > 0 ? run.dataName(t.get(seen === undefined ? first[0] : seen, "by")) : "";
}

function dataPart(run, page) {
	const t = run.dataTable,
		words = (r) => t.get(r, "name");
	return [
		helpFor("data"),
		samplingNote(run, "data"),
		dataMapPart(run, page),
		new ListTable({
			caption: "Data",
			rows: rowsOfTable(t),
			words,
			address: (r) => "#" + dataAddress(run, r),
			columns: [
				{
					key: "name",
					label: "Data",
					text: true,
					help: "name",
					value: words,
					cell: (r) => name(words(r)),
				},
				stallColumn(run, t),
				{
					key: "kind",
					label: "Kind",
					text: true,
					value: (r) => t.get(r, "kind"),
					cell: (r) => t.get(r, "kind"),
				},
				{
					key: "objects",
					label: "Objects",
					help: "objects",
					value: (r) => t.get(r, "objects"),
				},
				{
					key: "peak",
					label: "At most",
					help: "peak",
					value: (r) => t.get(r, "peak_bytes"),
					cell: (r) => size(t.get(r, "peak_bytes")),
				},
				!run.run.hardware &&
					!run.range && {
					key: "by",
					label: "Evicted by",
					text: true,
					help: "replacement",
					room: 24,
					value: (r) => topReplacer(run, r),
					cell: (r) =>
						name(topReplacer(run, r), { class: "name cut" }),
				},
			]
				.filter(Boolean)
				.concat(run.range ? [] : occupancyColumns(run), figureColumns(run, t)),
		}).element,
	];
}
