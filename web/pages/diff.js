// diff.js - comparison of two runs: what changed, where, and why.

// Signs and words, not only colors: an arrow up is more, an arrow down less.
function changeText(change) {
	if (change.change === 0) return h("span", { class: "quiet" }, "same");
	return h(
		"span",
		{
			class: change.change > 0 ? "more" : "less",
			title: exact(Math.abs(change.change)) + (change.change > 0 ? " more" : " less"),
		},
		change.change > 0 ? "\u25b2 +" : "\u25bc \u2212",
		count(Math.abs(change.change)),
		change.clear ? "" : " (noise)",
	);
}

function relativeText(change) {
	return change.relative === null
		? "new"
		: (change.relative >= 0 ? "+" : "\u2212") + (Math.abs(change.relative) * 100).toFixed(1) + "%";
}

function changeColumns(get) {
	return [
		{ key: "before", label: "Before", value: (r) => get(r).before },
		{ key: "after", label: "After", value: (r) => get(r).after },
		{
			key: "change",
			label: "Change",
			value: (r) => get(r).change,
			cell: (r) => changeText(get(r)),
			between: (r) => (get(r).noise > 0 ? "\u00b1" + count(Math.round(get(r).noise)) : ""),
		},
		{
			key: "relative",
			label: "of before",
			value: (r) => (get(r).relative === null ? 0 : get(r).relative),
			cell: (r) => relativeText(get(r)),
		},
		{
			key: "share",
			label: "of the change",
			value: (r) => get(r).share || 0,
			cell: (r) => share(get(r).share).replace(/-(?=\d)/, "\u2212"),
		},
	];
}

class DiffPage {
	constructor(data) {
		this.diff = data.diff;
		this.metric = this.diff.metric;
		const side = (runs) =>
			runs.map((r) => [h("a", { href: served("run/" + r.id) }, "@" + r.id), " ", name(commandOf(r))]);
		document.title = "Comparison - memspy";
		replace(
			document.getElementById("head"),
			h("h1", {}, "Run ", side(this.diff.before), " \u2192 ", side(this.diff.after)),
			h("span", { class: "tools" }, h("a", { href: served("") }, "All runs"), themeButton()),
		);
		this.body = h("div");
		this.choose = h(
			"select",
			{
				id: "metric",
				onchange: () => {
					this.metric = this.choose.value;
					this.draw();
				},
			},
			Object.keys(this.diff.total.metrics).map((key) =>
				h("option", { value: key, selected: key === this.metric }, key.replace("_", " ")),
			),
		);
		replace(
			document.getElementById("main"),
			this.diff.remarks.map((text) => h("p", { class: "warning", role: "note" }, text)),
			h(
				"details",
				{ class: "help" },
				h("summary", {}, "What this shows"),
				h(
					"p",
					{},
					"What changed from the first run to the second. Data is matched by its allocation and type, lines by the data that they use, so the source may have been edited in between. Of the change: the share of the whole change; changes in the opposite direction are negative. If the noise of a change is known, half of its 95% interval is below it (\u00b1).",
				),
			),
			h("h2", {}, "In all"),
			speedupText(this.diff.speedup),
			this.totals(),
			h("div", { class: "tools" }, h("label", { for: "metric" }, "Figure "), this.choose),
			this.body,
		);
		this.draw();
		new ListKeyboard();
	}

	// The details of a row in the later run, or in the earlier one if only that has it. parts: of the address.
	address(row, parts) {
		const runs = row.presence === "gone" ? this.diff.before : this.diff.after;
		return addressInRun(runs[runs.length - 1], ...parts);
	}

	totals() {
		const metrics = Object.entries(this.diff.total.metrics).map(([key, change]) => ({
			key: key.replace("_", " "),
			change,
		}));
		const causes = this.diff.total.causes
			.flatMap((c) =>
				CAUSES.map((cause) => ({ key: c.level + ", " + cause.label, change: c[cause.key] })),
			)
			.filter((c) => c.change.before > 0 || c.change.after > 0);
		return new ListTable({
			caption: "In all",
			rows: metrics.concat(causes),
			columns: [
				{ key: "name", label: "Figure", text: true, value: (r) => r.key, cell: (r) => r.key },
			].concat(changeColumns((r) => r.change).slice(0, 4)),
		}).element;
	}

	// address(row): the parts of where it leads.
	list(title, rows, cell, address) {
		const get = (r) => r.metrics[this.metric],
			changed = rows.filter((r) => get(r) && (get(r).before > 0 || get(r).after > 0));
		return [
			h("h2", {}, title),
			changed.length === 0
				? h("p", { class: "quiet" }, "nothing")
				: new ListTable({
						caption: title,
						rows: changed,
						words: (r) => r.name + " " + (r.old_name || ""),
						address: (r) => this.address(r, address(r)),
						columns: [
							{
								key: "name",
								label: title,
								text: true,
								value: (r) => r.name,
								cell,
							},
						].concat(changeColumns(get)),
					}).element,
		];
	}

	draw() {
		const label = (r) => [
			name(r.name),
			r.old_name && [" (was ", name(r.old_name), ")"],
			r.presence !== "both" && h("span", { class: "badge" }, r.presence),
		];
		const line = (r) => [
			name(r.file && r.line > 0 ? r.file + ":" + r.line : "no line"),
			r.old_line && r.old_line !== r.line && r.presence === "both"
				? " (was " + r.old_line + ")"
				: null,
			" ",
			name(r.code, { class: "name quiet" }),
			r.presence !== "both" && h("span", { class: "badge" }, r.presence),
		];
		replace(
			this.body,
			waterfall(this.diff, this.metric, (r) => this.address(r, ["data", r.data])),
			diffMatrices(this.diff, this.metric),
			this.list("Bins", this.diff.bins, label, (r) => ["bin", r.code, r.data]),
			this.list("Data", this.diff.data, label, (r) => ["data", r.data]),
			this.list("Code", this.diff.code, label, (r) => ["code", r.code]),
			this.list("Lines", this.diff.lines, line, (r) => (r.file && r.line > 0 ? ["source", baseName(r.file), r.line] : ["code", r.code])),
		);
	}
}
