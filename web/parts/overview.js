// overview.js - the run, its time, its levels: Figure 2 of the 1993 paper as a page.

function facts(run) {
	const r = run.run,
		command = r.argv.length ? r.argv : [r.program];
	const rows = [
		["Program", name(command.map(quoted).join(" "))],
		[
			"Run",
			[
				run.data.live ? "so far" : r.id === null ? "not kept" : "@" + r.id,
				r.tag ? [", ", name("@" + r.tag)] : null,
				", ",
				r.started,
				", ",
				r.frontend,
				", ",
				fixed(r.wall_seconds, 1),
				" s, ",
				run.data.live
					? "running"
					: r.end === "exited"
						? "exit " + r.exit_status
						: r.end === "incomplete"
							? incompleteState(r) + "; figures until " + clock(r.wall_seconds)
							: r.end,
			],
		],
		["Machine", [name(r.machine), " (", name(r.machine_origin), ")"]],
		r.machine_levels.length > 0 && [
			"Levels",
			[
				r.machine_levels
					.map(
						(l, i) =>
							l.name +
							" " +
							size(l.size) +
							" " +
							l.ways +
							"-way " +
							l.line +
							" B" +
							(i > 0 ? " " + l.latency + " cycles" : "") +
							(l.prefetch ? " prefetch " + l.prefetch : ""),
					)
					.join(", "),
				", memory ",
				r.memory_latency,
				" cycles",
			],
		],
	];
	if (r.core)
		rows.push([
			"Core",
			r.core.type +
				(r.core.clock_mhz ? ", " + r.core.clock_mhz + " MHz" : "") +
				(isMeasured(run)
					? "; time is measured, and split by what the simulated core waits for"
					: isTimed(run)
						? "; time is estimated"
						: "; each miss costs its latency"),
		]);
	if (run.several)
		rows.push([
			"Processors",
			r.processors +
				", " +
				r.protocol +
				(r.nodes > 1 ? ", on " + r.nodes + " nodes, pages " + r.placement : ""),
		]);
	return h(
		"details",
		{ class: "about-run" },
		h("summary", {}, "This run: ", name(r.machine), ", ", r.frontend, ", ", fixed(r.wall_seconds, 1), " s", run.data.live && ", running"),
		h(
			"dl",
			{ class: "facts" },
			rows.filter(Boolean).map(([k, v]) => [h("dt", {}, k), h("dd", {}, v)]),
		),
	);
}

// Latency by what answered misses, where each miss costs its latency: levels and memory. Caches of other processors, and
// other nodes, have the rest.
function answeredParts(run) {
	const misses = (l) => (run.total("levels." + l + ".misses.read") || 0) + (run.total("levels." + l + ".misses.write") || 0);
	return run.levels.map((_, l) => {
		const next = run.levels[l + 1],
			others = (next ? misses(l + 1) : 0) + (run.total("levels." + l + ".peer") || 0);
		return {
			value: Math.max(0, misses(l) - others) * ((next ? next.latency : run.run.memory_latency) || 0),
			of: "series-" + (l + 1),
			label: next ? next.name : "memory",
		};
	});
}

// What has neither a level nor memory as its part.
function restOfWaiting(run, known) {
	if (known === 0) return "memory";
	if (isMeasured(run)) return "not explained by the simulation";
	return !hasParts(run) && run.several ? "caches of other processors" + (run.run.nodes > 1 ? " and other nodes" : "") : "others";
}

// What the processor waited for; the remainder is what the model does not divide.
function waitingParts(run) {
	const all = run.totals.stall_cycles,
		parts = !hasParts(run) && run.several && !run.run.hardware ? answeredParts(run) : [];
	if (hasParts(run)) {
		run.levels.forEach((_, i) =>
			parts.push({
				value: run.total("timing.answers." + i + ".exposed_cycles") || 0,
				of: "series-" + (i + 1),
				label: i + 1 < run.levels.length ? run.levels[i + 1].name : "memory",
			}),
		);
		parts.push(
			{ value: run.total("timing.page_walk_cycles") || 0, of: "series-5", label: "page walks" },
			{ value: run.total("timing.bandwidth_cycles") || 0, of: "series-6", label: "bandwidth" },
		);
	}
	const known = parts.reduce((sum, p) => sum + p.value, 0);
	// Parts of measured time are rounded: what is below half a per cent is no part of its own.
	if (known > all || all - known >= 0.005 * all)
		parts.push({
			value: Math.max(0, all - known),
			of: parts.length > 0 && !hasParts(run) ? "series-7" : "stall", // of a level
			label: restOfWaiting(run, parts.length),
		});
	return parts.filter((p) => p.value > 0);
}

// One bar: computing, then waiting by what was waited for.
function timeParts(run, compute, waiting) {
	const all = waiting.reduce((sum, p) => sum + p.value, compute),
		parts = [{ value: compute, of: "compute", label: "computing" }].concat(
			waiting.map((p) => ({ value: p.value, of: p.of, label: "waiting for " + p.label })),
		);
	for (const p of parts) p.label += ": " + amount(run, p.value) + " (" + percent(p.value, all) + ")";
	return [bar(parts, all, parts.map((p) => p.label).join(", ")), legend(parts.filter((p) => p.value >= 0.005 * all))];
}

function timeBar(run, compute, stall, whole, what) {
	return bar(
		[
			{
				value: compute,
				of: "compute",
				label:
					"computing: " +
					amount(run, compute) +
					" (" +
					percent(compute, compute + stall) +
					")",
			},
			{
				value: stall,
				of: "stall",
				label:
					"waiting for memory: " +
					amount(run, stall) +
					" (" +
					percent(stall, compute + stall) +
					")",
			},
		],
		whole,
		what + ": " + amount(run, compute) + " computing, " + amount(run, stall) + " waiting for memory",
	);
}

function stallBetween(run, code) {
	return isSampled(run) ? betweenShares(boundsOf(run, "code", code, "stall_share")) : null;
}

function timeByCode(run) {
	const known = computingIsKnown(run),
		what = known ? "Time" : weight(run).title;
	const time = (i) => run.code.get(i, "compute_cycles") + run.code.get(i, "stall_cycles");
	const order = Array.from({ length: run.code.length }, (_, i) => i)
		.filter((i) => time(i) > 0)
		.sort((a, b) => time(b) - time(a));
	if (order.length === 0) return null;
	const all = run.totals.compute_cycles + run.totals.stall_cycles;
	const top = order.filter((i, n) => n < 3 || (n < 15 && time(i) >= SMALL * all)),
		longest = top.length ? time(top[0]) : 0;
	const rows = top.map((i) =>
		h(
			"tr",
			{},
			h("th", { scope: "row" }, link(codeAddress(run, i), name(run.codeName(i)))),
			h(
				"td",
				{ class: "wide" },
				timeBar(
					run,
					run.code.get(i, "compute_cycles"),
					run.code.get(i, "stall_cycles"),
					longest,
					run.codeName(i),
				),
			),
			h("td", { class: "figure", "data-between": known ? null : stallBetween(run, i) }, percent(time(i), all)),
			known && h("td", { class: "figure" }, percent(run.code.get(i, "stall_cycles"), time(i))),
			known &&
				isSampled(run) &&
				h(
					"td",
					{ class: "figure", "data-between": stallBetween(run, i) },
					percent(run.code.get(i, "stall_cycles"), run.totals.stall_cycles),
				),
		),
	);
	return h(
		"section",
		{},
		h("h3", {}, what + " by function"),
		samplingNote(run, "overview"),
		known &&
			legend([
				{ of: "compute", label: "computing" },
				{ of: "stall", label: "waiting for memory" },
			]),
		h(
			"div",
			{ class: "scroll free" },
			h(
				"table",
				{ class: "bars" },
				h("caption", { class: "hidden" }, what + " by function"),
				h(
					"thead",
					{},
					h(
						"tr",
						{},
						h("th", { scope: "col" }, "Function"),
						h("th", { scope: "col" }, what),
						h("th", { scope: "col", class: "figure" }, "of all"),
						known && h("th", { scope: "col", class: "figure" }, "waiting"),
						known && isSampled(run) && h("th", { scope: "col", class: "figure" }, "of all stall"),
					),
				),
				h("tbody", {}, rows),
			),
		),
		order.length > top.length &&
			h(
				"p",
				{ class: "quiet" },
				"and ",
				link("code", run.later.has("lists") ? "more functions" : plural(order.length - top.length, "more function")),
			),
	);
}

function levelsPart(run) {
	const references = run.total("references.read") + run.total("references.write");
	const rates = run.run.sampling ? run.run.sampling.miss_rates : [];
	return h(
		"section",
		{},
		h("h3", {}, "Cache levels"),
		h(
			"div",
			{ class: "cards" },
			run.totals.levels.map((level, i) => {
				const misses = level.misses.read + level.misses.write;
				return h(
					"article",
					{ class: "card" },
					h("h4", {}, level.name),
					h(
						"p",
						{},
						h("b", {}, count(misses)),
						missWord(misses),
						intervalText(betweenCounts(boundsIn(run, run.totals, "levels." + i + ".misses"))),
						", rate ",
						h("b", {}, percent(misses, references)),
						intervalText(rates[i] && rates[i].low !== null ? betweenShares(rates[i], 2) : ""),
					),
					h(
						"p",
						{ class: "quiet" },
						"reads ",
						count(level.misses.read),
						", writes ",
						count(level.misses.write),
					),
					causesBar(
						(path) => run.total(path),
						i,
						(path) => boundsIn(run, run.totals, path),
					),
					rates[i] &&
						rates[i].invalidations &&
						rates[i].invalidations.low !== null &&
						h(
							"p",
							{ class: "quiet" },
							"invalidation misses, share of all references",
							intervalText(betweenShares(rates[i].invalidations, 2)),
						),
				);
			}),
		),
	);
}

function worst(run) {
	if (run.bins.length === 0 || !run.totals.stall_cycles) return null;
	const code = run.bins.get(0, "code"),
		data = run.bins.get(0, "data"),
		stall = run.bins.get(0, "stall_cycles");
	return h(
		"p",
		{ class: "lead" },
		run.run.hardware && run.run.hardware.unit === "none" ? "Most events: " : "Most waiting: ",
		link(binAddress(run, code, data), name(run.dataName(data)), " in ", name(run.codeName(code))),
		", ",
		percent(stall, run.totals.stall_cycles),
		" of all " + weight(run).words,
		isSampled(run) && intervalText(betweenShares(boundsOf(run, "bins", 0, "stall_share"))),
		".",
	);
}

function phasesPart(run) {
	const phases = run.data.report.phases;
	return (
		phases.length > 0 &&
		h(
			"section",
			{},
			h("h3", {}, "Phases that the program marked"),
			new ListTable({
				caption: "Phases",
				rows: phases,
				columns: [
					{
						key: "name",
						label: "Phase",
						text: true,
						value: (p) => p.name,
						cell: (p) => name(p.name),
					},
					{ key: "times", label: "Times", value: (p) => p.times },
					{
						key: "references",
						label: "References",
						help: "references",
						value: (p) => p.references,
						between: betweenIn(run, "references"),
					},
				].concat(
					run.levels.map((level, i) => ({
						key: level.name + "misses",
						label: level.name + " misses",
						help: "misses",
						value: (p) => phaseMisses(p, level.name),
						between: betweenIn(run, "levels." + i + ".misses"),
					})),
					run.levels.map((level) => ({
						key: level.name,
						label: level.name + " miss rate",
						help: "rate",
						value: (p) => phaseRate(p, level.name),
						cell: (p) => share(phaseRate(p, level.name)),
					})),
				),
			}).element,
		)
	);
}

function phaseMisses(phase, level) {
	const found = phase.levels.find((l) => l.name === level);
	return found ? found.misses : 0;
}

function phaseRate(phase, level) {
	return phase.references > 0 ? phaseMisses(phase, level) / phase.references : null;
}

function unattributedPart(run) {
	const list = run.data.report.unattributed;
	return (
		list.length > 0 &&
		h(
			"section",
			{},
			h("h3", {}, "Not attributed to any data"),
			new ListTable({
				caption: "Not attributed",
				rows: list,
				columns: [
					{
						key: "reason",
						label: "Reason",
						text: true,
						value: (u) => u.reason,
						cell: (u) => name(u.reason),
					},
					{
						key: "references",
						label: run.run.hardware ? "Events" : "References",
						help: "references",
						value: (u) => u.references.read + u.references.write,
					},
					{
						key: "stall",
						label: weight(run).head,
						help: "stall",
						value: (u) => u.stall_cycles,
						cell: (u) => share(u.stall_share),
					},
				],
			}).element,
		)
	);
}

// Of a timer's samples: the share of the time that waited for memory.
function stalledBetween(t) {
	const low = t.stall_of_time_low;
	return low === null || low === undefined ? "" : betweenShares({ low, high: t.stall_of_time_high });
}

// Counted figures have none.
function computeBetween(bounds) {
	return bounds && bounds.low < bounds.high ? betweenCounts(bounds) : "";
}

function wholeTime(run) {
	const t = run.totals,
		references = t.references.read + t.references.write;
	return h(
		"section",
		{ id: "whole-time" },
		h("h3", {}, "Time of the whole program"),
		h(
			"p",
			{},
			h("b", {}, amount(run, t.compute_cycles + t.stall_cycles)),
			hasParts(run) && [
				milliseconds(run, t.compute_cycles + t.stall_cycles),
				isMeasured(run) ? " (measured)" : " (estimated)",
			],
			": computing ",
			h("b", {}, run.run.hardware ? amount(run, t.compute_cycles) : count(t.compute_cycles)),
			" (",
			percent(t.compute_cycles, t.compute_cycles + t.stall_cycles),
			")",
			run.run.sampling && intervalText(computeBetween(boundsIn(run, t, "compute_cycles"))),
			", waiting for memory ",
			h(
				"b",
				{ id: "total-stall" },
				run.run.hardware ? amount(run, t.stall_cycles) : count(t.stall_cycles),
			),
			" (",
			percent(t.stall_cycles, t.compute_cycles + t.stall_cycles),
			")",
			intervalText(
				run.run.hardware ? stalledBetween(t) : betweenCounts(boundsIn(run, t, "stall_cycles")),
			),
		),
		timeParts(run, t.compute_cycles, waitingParts(run)),
		h(
			"p",
			{},
			h("b", {}, count(references)),
			run.run.hardware
				? run.run.hardware.unit === "nanoseconds"
					? " of the samples waited"
					: " events"
				: [
						" references",
						isEstimate(run.run.sampling) && intervalText(betweenReferences(run, { low: 1, high: 1 })),
						": reads ",
						count(t.references.read),
						", writes ",
						count(t.references.write),
					],
		),
	);
}

// Of sampled events: their number, and their latency if known. Not the program's time.
function wholeEvents(run) {
	const t = run.totals;
	return h(
		"section",
		{ id: "whole-time" },
		h("h3", {}, weight(run).title + " of the whole program"),
		h(
			"p",
			{},
			run.run.hardware.unit === "cycles" && [
				h("b", { id: "total-stall" }, amount(run, t.stall_cycles)),
				" of latency in ",
			],
			h("b", {}, count(t.references.read + t.references.write)),
			" events. How long the program computed between them was not measured.",
		),
	);
}

function overviewPart(run) {
	if (run.range) return overviewInRange(run);
	return [
		warnings(run),
		worst(run),
		findingsPart(run),
		computingIsKnown(run) ? wholeTime(run) : wholeEvents(run),
		heatMap(run),
		timeByCode(run),
		run.levels.length > 0 && levelsPart(run),
		phasesPart(run),
		unattributedPart(run),
		facts(run),
		helpFor("overview"),
	];
}
