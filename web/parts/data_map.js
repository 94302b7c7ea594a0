// data_map.js - a treemap of data: areas are bytes, colors are stall time.

const MAPPED = 300, // data that have a rectangle of their own
	MAP_HEIGHT = 360,
	TITLE = 16; // height of a group's title

const GROUPINGS = [
	{ key: "type", label: "Type", of: (run, i) => run.dataTable.get(i, "type") || "<" + run.dataTable.get(i, "kind") + ">" },
	{ key: "path", label: "Allocating function", of: (run, i) => allocatorOf(run, i) },
	{ key: "kind", label: "Kind", of: (run, i) => run.dataTable.get(i, "kind") },
];

// The innermost function of the allocation that is not the allocator's own.
function allocatorOf(run, data) {
	const t = run.tables.allocated_by,
		rows = run.rowsOf("allocated_by", "data", data),
		own = rows.find((r) => t.get(r, "file") !== null);
	if (rows.length === 0) return "<" + run.dataTable.get(data, "kind") + ">";
	return t.get(own === undefined ? rows[0] : own, "function") || "<unknown>";
}

// Groups of data by size, and each with its data by size.
function grouping(run, of) {
	const groups = new Map(),
		all = Array.from({ length: run.dataTable.length }, (_, i) => ({
			i,
			value: run.dataTable.get(i, "peak_bytes"),
			stall: run.dataTable.get(i, "stall_cycles"),
		}))
			.filter((e) => e.value > 0)
			.sort((a, b) => b.value - a.value);
	all.slice(0, MAPPED).forEach((e) => {
		const key = of(run, e.i);
		if (!groups.has(key)) groups.set(key, { key, value: 0, entries: [] });
		groups.get(key).value += e.value;
		groups.get(key).entries.push(e);
	});
	return {
		groups: Array.from(groups.values()).sort((a, b) => b.value - a.value),
		omitted: Math.max(0, all.length - MAPPED),
	};
}

class DataMap {
	constructor(run) {
		this.run = run;
		this.most = Math.max(...Array.from({ length: run.dataTable.length }, (_, i) => run.dataTable.get(i, "stall_cycles")));
		this.choose = h(
			"select",
			{ id: "map-group", onchange: () => this.draw() },
			GROUPINGS.map((g) => h("option", { value: g.key }, g.label)),
		);
		this.picture = h("div", { class: "data-map" });
		this.note = h("p", { class: "quiet" });
		this.element = h(
			"div",
			{},
			h("div", { class: "tools" }, h("label", { for: "map-group" }, "Grouped by "), this.choose),
			this.picture,
			this.note,
		);
		new ResizeObserver(beforeNextPicture(() => this.draw())).observe(this.picture);
	}

	words(e) {
		const run = this.run;
		return (
			run.dataName(e.i) + ": " + size(e.value) + ", " + percent(e.stall, run.totals.stall_cycles) + " of all " + weight(run).words
		);
	}

	// A link, so that it opens as links do.
	rectangle({ entry, x, y, w, h: high }) {
		const words = this.words(entry),
			steps = entry.stall > 0 && this.most > 0 ? Math.max(1, Math.ceil(Math.sqrt(entry.stall / this.most) * STEPS)) : 0,
			room = Math.floor((w - 6) / LETTER);
		return svg(
			"a",
			{ href: "#" + dataAddress(this.run, entry.i), class: "cell map-" + steps, "aria-label": words },
			svg("title", {}, words),
			svg("rect", { x: x.toFixed(1), y: y.toFixed(1), width: Math.max(0.5, w - 1).toFixed(1), height: Math.max(0.5, high - 1).toFixed(1) }),
			room >= 4 &&
				high >= 16 &&
				svg("text", { x: (x + 3).toFixed(1), y: (y + 12).toFixed(1) }, shortened([visible(this.run.dataName(entry.i))], room)[0]),
		);
	}

	group({ entry: group, x, y, w, h: high }) {
		const titled = w > 60 && high > 3 * TITLE,
			top = titled ? TITLE : 0;
		return [
			titled &&
				svg(
					"text",
					{ class: "title", x: (x + 2).toFixed(1), y: (y + 12).toFixed(1) },
					shortened([visible(group.key)], Math.floor(w / LETTER))[0],
				),
			treemap(group.entries, x, y + top, w - 2, high - top - 2).map((place) => this.rectangle(place)),
		];
	}

	draw() {
		const width = Math.floor(this.picture.clientWidth || chartWidth()),
			chosen = GROUPINGS.find((g) => g.key === this.choose.value),
			{ groups, omitted } = grouping(this.run, chosen.of);
		if (groups.length === 0) {
			replace(this.picture, h("p", {}, "The sizes of data are not known."));
			return;
		}
		replace(
			this.picture,
			svg(
				"svg",
				{ viewBox: "0 0 " + width + " " + MAP_HEIGHT, width, height: MAP_HEIGHT, role: "group", "aria-label": "Data by size" },
				treemap(groups, 0, 0, width, MAP_HEIGHT).map((place) => this.group(place)),
			),
		);
		this.note.textContent =
			"Areas: bytes at one time, at most. The stronger the color, the more " +
			weight(this.run).words +
			"." +
			(omitted > 0 ? " Without " + plural(omitted, "smaller one") + "." : "");
	}
}

function dataMapPart(run) {
	if (run.dataTable.length === 0) return null;
	return h("section", { id: "data-map" }, h("h3", {}, "Sizes"), new DataMap(run).element);
}
