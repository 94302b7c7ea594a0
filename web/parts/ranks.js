// ranks.js - how the ranks of a job differ, or the processes of a command: imbalance first.

function rankSummary(run, map) {
	const r = run.run,
		all = run.tables.ranks.length,
		n = map.ranks.length,
		hosts = new Set(map.ranks.map((x) => x.host)).size,
		time = map.ranks.reduce((sum, x) => sum + x.time, 0),
		waiting = map.ranks.reduce((sum, x) => sum + x.waiting, 0);
	return [
		h(
			"p",
			{ class: "lead" },
			grouped(n) + " of " + grouped(all) + " " + map.plural(all) + (r.job ? " of job " : ""),
			r.job ? name(r.job) : null,
			hosts > 1 ? " on " + grouped(hosts) + " nodes" : "",
			" are in the sums. ",
			h("b", {}, map.summary()),
		),
		waiting > 0 && h("p", {}, percent(waiting, waiting + time) + " of all time is waiting for other ranks, in functions of MPI that poll. It is in no rank\u2019s time."),
	];
}

function rankTable(run, map) {
	const longest = map.ranks.reduce((m, r) => Math.max(m, r.time + r.waiting), 0),
		figure = (key, label) => ({ key, label, value: (r) => r[key], cell: (r) => amount(run, r[key]) }),
		words = (r) => [r.rank, r.host, r.program && baseName(r.program)].filter((w) => w !== null).join(" "),
		title = run.run.job ? "Ranks" : "Processes";
	const columns = [
		{ key: "rank", label: run.run.job ? "Rank" : "Process", value: (r) => r.rank },
		!run.run.job && { key: "program", label: "Program", text: true, value: (r) => baseName(r.program), cell: (r) => name(baseName(r.program)) },
		{ key: "host", label: "Node", text: true, value: (r) => r.host || "", cell: (r) => name(r.host || "?") },
		{ key: "cluster", label: "Cluster", value: (r) => r.cluster, cell: (r) => (r.cluster === null ? "-" : String(r.cluster)) },
		{
			key: "bar",
			label: "Time and waiting",
			text: true,
			value: (r) => r.time + r.waiting,
			cell: (r) => h("div", { class: "wide" }, rankBar(run, r, longest)),
		},
		figure("time", "Time"),
		figure("compute", "Compute"),
		figure("stall", "Stall"),
		map.ranks.some((r) => r.waiting > 0) && figure("waiting", "Waiting"),
	].filter(Boolean);
	return [
		h("h3", {}, title),
		legend([
			{ of: "compute", label: "computing" },
			{ of: "stall", label: "waiting for memory" },
			{ of: "wait", label: "waiting for other ranks" },
		]),
		new ListTable({ caption: title, rows: map.ranks, words, columns, sort: "time" }).element,
	];
}

function rankBar(run, r, longest) {
	return bar(
		[
			{ value: r.compute, of: "compute", label: "computing: " + amount(run, r.compute) },
			{ value: r.stall, of: "stall", label: "waiting for memory: " + amount(run, r.stall) },
			{ value: r.waiting, of: "wait", label: "waiting for other ranks: " + amount(run, r.waiting) },
		],
		longest,
		"rank " + r.rank,
	);
}

// Code and data whose stall differs most.
function rankDifferences(run, map) {
	const t = run.tables.rank_bins,
		of = (list, key) => (row) => (list === "code" ? run.codeName(t.get(row, key)) : run.dataName(t.get(row, key))),
		figure = (key, label) => ({ key, label, value: (row) => t.get(row, key), cell: (row) => amount(run, Math.round(t.get(row, key))) });
	return [
		h("h3", {}, "Where " + map.plural(2) + " differ"),
		h("p", { class: "quiet" }, "By the stall of the worst " + map.what + " above the mean."),
		new ListTable({
			caption: "Code and data that differ",
			rows: rowsOfTable(t),
			words: (row) => of("code", "code")(row) + " " + of("data", "data")(row),
			address: (row) => "#" + binAddress(run, t.get(row, "code"), t.get(row, "data")),
			columns: [
				{ key: "code", label: "Code", text: true, value: of("code", "code"), cell: (row) => name(of("code", "code")(row)) },
				{ key: "data", label: "Data", text: true, value: of("data", "data"), cell: (row) => name(of("data", "data")(row)) },
				figure("above", "Above"),
				figure("mean", "Mean"),
				figure("deviation", "Deviation"),
				figure("most", "Most"),
				{ key: "most_rank", label: run.run.job ? "Rank" : "Process", value: (row) => t.get(row, "most_rank"), cell: (row) => String(t.get(row, "most_rank")) },
				figure("least", "Least"),
			],
		}).element,
	];
}

function rankClusters(run, map) {
	const t = run.tables.rank_clusters;
	if (t.length < 2) return null;
	const mean = (row) => t.get(row, "time") / Math.max(1, t.get(row, "ranks"));
	return [
		h("h3", {}, "Clusters"),
		h("p", { class: "quiet" }, "Groups of " + map.plural(2) + " that spend their time alike."),
		new ListTable({
			caption: "Clusters",
			rows: rowsOfTable(t),
			columns: [
				{ key: "cluster", label: "Cluster", value: (row) => row, cell: (row) => String(row) },
				{ key: "ranks", label: run.run.job ? "Ranks" : "Processes", value: (row) => t.get(row, "ranks") },
				{ key: "mean", label: "Mean time", value: mean, cell: (row) => amount(run, Math.round(mean(row))) },
				{ key: "representative", label: "Representative", value: (row) => t.get(row, "representative"), cell: (row) => String(t.get(row, "representative")) },
			],
		}).element,
	];
}

// Ranks that are missing, damaged or cannot be added.
function otherRanks(run, map) {
	const t = run.tables.ranks,
		rows = rowsOfTable(t).filter((row) => t.get(row, "state") !== "merged");
	if (rows.length === 0) return null;
	const word = (key) => (row) => t.get(row, key) || "";
	return [
		h("h3", {}, "Not in the sums"),
		new ListTable({
			caption: "Not in the sums",
			rows,
			columns: [
				{ key: "rank", label: run.run.job ? "Rank" : "Process", value: (row) => t.get(row, "rank"), cell: (row) => String(t.get(row, "rank")) },
				{ key: "state", label: "State", text: true, value: word("state"), cell: word("state") },
				{ key: "reason", label: "Reason", text: true, value: word("reason"), cell: (row) => name(word("reason")(row)) },
			],
		}).element,
	];
}

function ranksPart(run) {
	const map = new RankMap(run, mergedRanks(run));
	return [
		helpFor("ranks"),
		isSampled(run) && h("p", { class: "quiet" }, "Sampled: figures of single " + map.plural(2) + " are estimates without intervals."),
		rankSummary(run, map),
		isSum(run) && h("p", { class: "quiet" }, "Threads, timelines and contents of caches are in the runs of single " + map.plural(2) + (run.run.job ? ": memspy html --rank N." : ".")),
		map.element,
		rankDifferences(run, map),
		rankTable(run, map),
		rankClusters(run, map),
		otherRanks(run, map),
	];
}
