// diff_matrices.js - the heat maps of two runs side by side, with the same rows, columns and colors.

const DIFF_ROWS = 10,
	DIFF_COLUMNS = 6;

// The names with the largest figures on either side, the largest first; what is a small part of the whole has none.
function largestNames(bins, key, get, most, whole) {
	const sums = new Map();
	for (const bin of bins) {
		const sum = sums.get(bin[key]) || { before: 0, after: 0 };
		sum.before += get(bin).before;
		sum.after += get(bin).after;
		sums.set(bin[key], sum);
	}
	return Array.from(sums)
		.map(([text, sum]) => ({ text, value: Math.max(sum.before, sum.after) }))
		.filter((e) => e.value > 0 && e.value >= SMALL * whole)
		.sort((a, b) => b.value - a.value)
		.slice(0, most)
		.map((e) => e.text);
}

// What another run has of this code or data.
function addressInRun(run, ...parts) {
	return served("run/" + run.id) + "#" + parts.map(encodeURIComponent).join("/");
}

function diffCell(run, bin, value, most, words) {
	const steps = value > 0 ? Math.max(1, Math.ceil(Math.sqrt(value / most) * STEPS)) : 0;
	if (!bin || value === 0) return h("td", { class: "figure none" });
	return h("td", { class: "figure heat heat-" + steps }, h("a", { href: addressInRun(run, "bin", bin.code, bin.data), title: words, "aria-label": words }, count(value)));
}

function diffMatrix(side, run, { rows, columns, short, shortRows, at, get, most }) {
	const title = (side === "before" ? "Before" : "After") + ": @" + run.id;
	return h(
		"div",
		{ class: "scroll free" },
		h(
			"table",
			{ class: "matrix map" },
			h("caption", {}, title),
			h(
				"thead",
				{},
				h(
					"tr",
					{},
					h("th", { scope: "col", class: "corner" }, "Code"),
					columns.map((text, k) =>
						h(
							"th",
							{ scope: "col", class: "data" },
							h(
								"a",
								{ href: addressInRun(run, "data", text), title: text, "aria-label": text },
								headingName(short[k]),
							),
						),
					),
				),
			),
			h(
				"tbody",
				{},
				rows.map((code, i) =>
					h(
						"tr",
						{},
						h("th", { scope: "row" }, name(shortRows[i], { title: code })),
						columns.map((data) => {
							const bin = at.get(code + "\n" + data),
								value = bin ? get(bin)[side] : 0;
							return diffCell(run, bin, value, most, title + ", " + data + " in " + code + ": " + exact(value));
						}),
					),
				),
			),
		),
	);
}

function diffMatrices(diff, metric) {
	const get = (bin) => bin.metrics[metric],
		bins = diff.bins.filter((bin) => get(bin) && bin.code && bin.data),
		total = diff.total.metrics[metric],
		whole = Math.max(total.before, total.after),
		rows = largestNames(bins, "code", get, DIFF_ROWS, whole),
		columns = largestNames(bins, "data", get, DIFF_COLUMNS, whole);
	if (rows.length === 0) return null;
	const map = {
		rows,
		columns,
		get,
		short: shortened(columns, HEADING),
		shortRows: shortened(rows, Math.min(20, besideRow())),
		at: new Map(bins.map((bin) => [bin.code + "\n" + bin.data, bin])),
		most: Math.max(...bins.map((bin) => Math.max(get(bin).before, get(bin).after))),
	};
	const section = h("section", { id: "matrices" }, pictureHead("h2", "Before and after", () => section, "table"));
	return add(section, [
		h("p", { class: "quiet" }, "Both have the same scale; the stronger the color, the more."),
		h("div", { class: "sides" }, diffMatrix("before", diff.before[0], map), diffMatrix("after", diff.after[0], map)),
	]);
}
