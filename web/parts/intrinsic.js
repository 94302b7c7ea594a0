// intrinsic.js - the misses of a data structure that nothing avoids, and by what the others could be avoided at most.

function intrinsicOf(run, data) {
	const t = run.tables.intrinsic,
		rows = t ? run.rowsOf("intrinsic", "data", data).filter((r) => t.get(r, "misses") > 0) : [];
	if (rows.length === 0) return null;
	const estimate = (path) => (r) => {
			const low = t.get(r, path + ".low"),
				high = t.get(r, path + ".high");
			return low < high ? betweenCounts({ low, high }) : "";
		},
		bound = (key, label, help, path) => ({
			key,
			label,
			help,
			value: (r) => Math.round(t.get(r, path + ".misses")),
			between: estimate(path),
		}),
		gain = (key, label) => ({
			key,
			label,
			help: "avoidable_" + key,
			value: (r) => t.get(r, "avoidable." + key),
			cell: (r) => percent(t.get(r, "avoidable." + key), t.get(r, "misses")),
		});
	return h(
		"section",
		{ class: "intrinsic" },
		h("h4", {}, "Intrinsic misses"),
		new ListTable({
			caption: "Misses that nothing avoids, and at most avoidable ones",
			rows,
			columns: [
				{
					key: "level",
					label: "Level",
					text: true,
					value: (r) => run.levels[t.get(r, "level")].name,
					cell: (r) => run.levels[t.get(r, "level")].name,
				},
				bound("optimal", "Optimal", "optimal", "optimal"),
				bound("touched", "Touched", "touched", "touched"),
				gain("replacement", "Replacement"),
				gain("order", "Order"),
				gain("layout", "Layout"),
			],
		}).element,
		h("p", { class: "quiet" }, "The last three are the shares of the misses that another replacement, order of accesses or layout avoids at most."),
	);
}
