// heat_map.js - the largest part of the matrix, on the overview.

const MAP_ROWS = 8,
	MAP_COLUMNS = 7;

// Rows of a table by figure, the largest first.
function largest(table, metric) {
	return Array.from({ length: table.length }, (_, i) => ({ i, value: sumOf(table, i, metric) }))
		.filter((entry) => entry.value > 0)
		.sort((a, b) => b.value - a.value || a.i - b.i);
}

// Code and data of the largest cells are half of the map, those with the largest totals the rest; in the order of their
// totals, without those that have no figure in it.
function mapped(run, metric, whole) {
	const code = new Set(),
		data = new Set(),
		codes = largest(run.code, metric),
		columns = largest(run.dataTable, metric),
		cells = largest(run.bins, metric).map(({ i }) => [run.bins.get(i, "code"), run.bins.get(i, "data")]);
	for (const [c, d] of cells) {
		if (code.size >= MAP_ROWS / 2 || data.size >= MAP_COLUMNS / 2) break;
		code.add(c);
		data.add(d);
	}
	const rest = (list, set, most) => list.forEach(({ i, value }) => set.size < most && value >= SMALL * whole && set.add(i));
	rest(columns, data, MAP_COLUMNS);
	const used = new Set(cells.filter(([, d]) => data.has(d)).map(([c]) => c));
	rest(codes.filter(({ i }) => used.has(i)), code, MAP_ROWS);
	const drawn = cells.filter(([c, d]) => code.has(c) && data.has(d));
	return {
		rows: codes.filter(({ i }) => drawn.some(([c]) => c === i)),
		columns: columns.filter(({ i }) => drawn.some(([, d]) => d === i)),
	};
}

function heatCell(run, row, column, value, most, whole) {
	if (value === null) return h("td", { class: "figure none" });
	const steps = value > 0 ? Math.max(1, Math.ceil(Math.sqrt(value / most) * STEPS)) : 0,
		words = run.dataName(column.i) + " in " + run.codeName(row.i) + ": " + percent(value, whole);
	return h(
		"td",
		{ class: "figure heat heat-" + steps },
		h(
			"a",
			{ href: "#" + binAddress(run, row.i, column.i), title: words, "aria-label": words },
			((100 * value) / whole).toFixed(1),
		),
	);
}

function heatMap(run) {
	const metric = metricsOf(run).find((m) => totalOf(run, m) > 0),
		whole = metric ? totalOf(run, metric) : 0;
	if (!whole || run.bins.length === 0) return null;
	const { rows, columns } = mapped(run, metric, whole),
		short = shortened(
			columns.map((c) => run.dataName(c.i)),
			HEADING,
		),
		shortCode = shortened(
			rows.map((r) => run.codeName(r.i)),
			besideRow(),
		);
	const at = new Map(columns.map((c, k) => [c.i, k])),
		values = rows.map((row) => {
			const line = new Array(columns.length).fill(null);
			for (const bin of run.rowsOf("bins", "code", row.i)) {
				const k = at.get(run.bins.get(bin, "data"));
				if (k !== undefined) line[k] = sumOf(run.bins, bin, metric);
			}
			return line;
		}),
		most = Math.max(...values.flat().map((v) => v || 0));
	if (most === 0) return null;
	const title = metric.label + " by function and data",
		section = h("section", { id: "heat-map" }, pictureHead("h3", title, () => section, "table"));
	return add(section, [
		h(
			"div",
			{ class: "scroll free" },
			h(
				"table",
				{ class: "matrix map" },
				h("caption", { class: "hidden" }, title + ", in per cent"),
				h(
					"thead",
					{},
					h(
						"tr",
						{},
						h("th", { scope: "col", class: "corner" }, "% of all"),
						columns.map((c, k) =>
							h(
								"th",
								{ scope: "col", class: "data" },
								h(
									"a",
									{ href: "#" + dataAddress(run, c.i), title: run.dataName(c.i), "aria-label": run.dataName(c.i) },
									headingName(short[k]),
								),
							),
						),
					),
				),
				h(
					"tbody",
					{},
					rows.map((row, i) =>
						h(
							"tr",
							{},
							h(
								"th",
								{ scope: "row" },
								h("a", { href: "#" + codeAddress(run, row.i), title: run.codeName(row.i) }, name(shortCode[i])),
							),
							columns.map((column, k) => heatCell(run, row, column, values[i][k], most, whole)),
						),
					),
				),
			),
		),
		h("p", { class: "quiet" }, link("matrix", "The whole matrix")),
	]);
}
