// data_map.js - a treemap of data: areas are bytes, colors are stall time.

const MAPPED = 300, // data that have a rectangle of their own
	MAP_HEIGHT = 360,
	MAP_DEPTH = 30, // functions of an allocation path, of which ...
	TITLES = 4, // ... so many have titles
	TITLE = 16, // height of a group's title
	TITLE_GAP = 8, // between neighboring titles
	TITLE_LETTER = 8, // pixels of a letter of one: they are bold
	ALLOCATOR = "<allocator>"; // heap memory outside of blocks

// keys(run, data): the groups of data, from the outermost to the innermost.
const GROUPINGS = [
	{ key: "type", label: "Type", keys: (run, i) => [run.dataTable.get(i, "type") || "<" + run.dataTable.get(i, "kind") + ">"] },
	{ key: "path", label: "Allocation path", keys: (run, i) => allocatorsOf(run, i) },
	{ key: "kind", label: "Kind", keys: (run, i) => [run.dataTable.get(i, "kind")] },
];

// The functions that led to the allocation, without those of the allocator and the start of the program.
function allocatorsOf(run, data) {
	const t = run.tables.allocated_by,
		rows = run.rowsOf("allocated_by", "data", data),
		own = rows.filter((r) => t.get(r, "file") !== null),
		used = own.length > 0 ? own : rows.slice(0, 1);
	if (rows.length === 0) return ["<" + run.dataTable.get(data, "kind") + ">"];
	return used
		.map((r) => t.get(r, "function") || "<unknown>")
		.reverse()
		.slice(0, MAP_DEPTH);
}

// Stacks, files and mappings that wait for nothing are larger than all that a program works on.
function isBackground(run, data) {
	return (
		!["heap", "static"].includes(run.dataTable.get(data, "kind")) &&
		run.dataTable.get(data, "stall_cycles") < SMALL * run.totals.stall_cycles
	);
}

// The memory of the heap contains its blocks, which have areas of their own.
function isAllocator(run, data) {
	return run.dataName(data) === ALLOCATOR;
}

function groupOf(parent, key) {
	if (!parent.groups.has(key)) parent.groups.set(key, { key, value: 0, groups: new Map(), entries: [] });
	return parent.groups.get(key);
}

// A group with one group in it and nothing else is drawn as one.
function joined(group) {
	const [only] = group.groups.values();
	if (!only || group.groups.size > 1 || group.entries.length > 0) return group;
	return joined(Object.assign({}, only, { key: group.key + " \u203a " + only.key }));
}

// What a rectangle is divided into: groups and data, the largest first.
function partsOfGroup(group) {
	return Array.from(group.groups.values(), joined)
		.concat(group.entries)
		.sort((a, b) => b.value - a.value);
}

// Groups of data by size, as a tree.
function grouping(run, keys, background) {
	const root = { key: "", value: 0, groups: new Map(), entries: [] },
		all = Array.from({ length: run.dataTable.length }, (_, i) => ({
			i,
			value: run.dataTable.get(i, "peak_bytes"),
			stall: run.dataTable.get(i, "stall_cycles"),
		}))
			.filter((e) => e.value > 0 && !isAllocator(run, e.i) && (background || !isBackground(run, e.i)))
			.sort((a, b) => b.value - a.value);
	for (const e of all.slice(0, MAPPED)) {
		let group = root;
		for (const key of keys(run, e.i)) {
			group = groupOf(group, key);
			group.value += e.value;
		}
		group.entries.push(e);
	}
	return { root, omitted: Math.max(0, all.length - MAPPED) };
}

class DataMap {
	constructor(run) {
		this.run = run;
		this.most = Math.max(...Array.from({ length: run.dataTable.length }, (_, i) => run.dataTable.get(i, "stall_cycles")));
		this.path = []; // keys of the groups to the one that is shown
		this.by = choiceList("map-group", "group", GROUPINGS, () => this.zoom([]));
		this.whole = h("button", { type: "button", onclick: () => this.zoom([]) }, "Show all");
		this.background = false;
		this.all = toggle("Stacks and files", "Also stacks, files and mappings that wait for almost nothing", (on) => {
			this.background = on;
			this.draw();
		});
		this.all.dataset.choice = "all";
		this.picture = h("div", { class: "data-map" });
		this.note = h("p", { class: "quiet" });
		this.element = h(
			"div",
			{},
			h("div", { class: "tools" }, h("label", { for: "map-group" }, "Grouped by "), this.by, this.all, this.whole, pictureIn("Sizes of data", () => this.element)),
			this.picture,
			this.note,
		);
		this.picture.drawNow = () => this.draw(); // for printing: a hidden picture has no size that changes
		new ResizeObserver(beforeNextPicture(() => this.draw())).observe(this.picture);
	}

	zoom(path) {
		this.path = path;
		this.draw();
		keepChoice("data", "zoom", this.path.map(encodeURIComponent).join("/"));
	}

	// What an address states beside the controls.
	choose(choices) {
		this.zoom((choices.get("zoom") || "").split("/").filter(Boolean).map(decoded));
	}

	// The group that is shown; what this run does not have is left out.
	shown(root) {
		let group = root;
		this.path.every((key, i) => {
			const next = partsOfGroup(group).find((part) => part.entries !== undefined && part.key === key);
			if (next) group = next;
			else this.path = this.path.slice(0, i);
			return next;
		});
		this.whole.disabled = group === root;
		return group;
	}

	// A title is a link to the group alone.
	title(entry, x, y, w, path) {
		return svg(
			"a",
			{
				href: partAddress("data", { zoom: path.map(encodeURIComponent).join("/") }),
				class: "zoom",
				"aria-label": "Only " + entry.key,
				onclick: (e) => {
					if (e.ctrlKey || e.metaKey || e.shiftKey) return; // a new tab or window
					e.preventDefault();
					this.zoom(path);
					this.whole.focus({ preventScroll: true });
				},
			},
			svg("title", {}, entry.key + ": " + size(entry.value)),
			svg("text", { class: "title", x: (x + 2).toFixed(1), y: (y + 12).toFixed(1) }, shortened([visible(entry.key)], Math.floor((w - TITLE_GAP) / TITLE_LETTER))[0]),
		);
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

	// A group has a title if there is room, and its parts below it.
	place({ entry, x, y, w, h: high }, depth, above) {
		if (entry.entries === undefined) return this.rectangle({ entry, x, y, w, h: high });
		const titled = w > 60 && high > 3 * TITLE && depth < TITLES,
			top = titled ? TITLE : 0,
			frame = w > 12 && high > top + 12 && depth < TITLES ? 2 : 0,
			path = above.concat(entry.key);
		return [
			titled && this.title(entry, x, y, w, path),
			treemap(partsOfGroup(entry), x, y + top, w - frame, high - top - frame).map((place) => this.place(place, depth + 1, path)),
		];
	}

	draw() {
		const width = Math.floor(this.picture.clientWidth || chartWidth()),
			chosen = GROUPINGS.find((g) => g.key === this.by.value),
			{ root, omitted } = grouping(this.run, chosen.keys, this.background),
			parts = partsOfGroup(this.shown(root));
		if (parts.length === 0) {
			replace(this.picture, h("p", {}, "The sizes of data are not known."));
			return;
		}
		replace(
			this.picture,
			svg(
				"svg",
				{ viewBox: "0 0 " + width + " " + MAP_HEIGHT, width, height: MAP_HEIGHT, role: "group", "aria-label": "Data by size" },
				treemap(parts, 0, 0, width, MAP_HEIGHT).map((place) => this.place(place, 0, this.path)),
			),
		);
		this.note.textContent =
			(this.path.length > 0 ? "Only " + visible(this.path.join(" \u203a ")) + ". " : "") +
			"Areas: bytes at one time, at most. The stronger the color, the more " +
			weight(this.run).words +
			"." +
			(this.run.rowOfData.has(ALLOCATOR) ? " Without " + ALLOCATOR + ": the heap's memory contains its blocks, which have areas." : "") +
			(omitted > 0 ? " Without " + plural(omitted, "smaller one") + "." : "");
	}
}

function dataMapPart(run, page) {
	if (run.dataTable.length === 0) return null;
	page.dataMap = new DataMap(run);
	return h("section", { id: "data-map" }, h("h3", {}, "Sizes"), page.dataMap.element);
}
