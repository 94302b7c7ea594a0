// waterfall.js - from the figure of one run to that of another: a step for each data that changed.

const MOST_STEPS = 12;

// [{label, from, to, of}]: the first and the last begin at 0, the others where the one before ends.
function waterfallSteps(total, entries, metric, address) {
	const changed = entries
		.map((e) => ({ label: h("a", { href: address(e) }, name(e.name)), change: e.metrics[metric] ? e.metrics[metric].change : 0 }))
		.filter((e) => e.change !== 0)
		.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
	const steps = [{ label: "before", from: 0, to: total.before, of: "others" }];
	let at = total.before;
	const step = (label, change) => {
		steps.push({ label, from: at, to: at + change, of: change > 0 ? "replacement" : "compute" });
		at += change;
	};
	for (const e of changed.slice(0, MOST_STEPS)) step(e.label, e.change);
	if (Math.abs(total.after - at) >= 0.5) step("other data", total.after - at);
	steps.push({ label: "after", from: 0, to: total.after, of: "others" });
	return steps;
}

function stepBar(step, most) {
	const x = (Math.min(step.from, step.to) / most) * 1000,
		width = Math.max(2, (Math.abs(step.to - step.from) / most) * 1000);
	return svg(
		"svg",
		{ class: "bar step", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" },
		svg("rect", { x: x.toFixed(1), y: 0, width: width.toFixed(1), height: 10, class: "fill-" + step.of }),
	);
}

// address(row): where the step of a data structure leads.
function waterfall(diff, metric, address) {
	const total = diff.total.metrics[metric],
		steps = waterfallSteps(total, diff.data, metric, address),
		most = Math.max(...steps.map((s) => Math.max(s.from, s.to)), 1);
	const section = h("section", { id: "waterfall" }, pictureHead("h2", "From before to after", () => section, "table"));
	return add(section, [
		h(
			"div",
			{ class: "scroll free" },
			h(
				"table",
				{ class: "bars" },
				h("caption", { class: "hidden" }, "From before to after, by data"),
				h(
					"tbody",
					{},
					steps.map((s, i) =>
						h(
							"tr",
							{},
							h("th", { scope: "row" }, typeof s.label === "string" ? name(s.label) : s.label),
							h("td", { class: "wide" }, stepBar(s, most)),
							h(
								"td",
								{ class: "figure" },
								i === 0 || i === steps.length - 1
									? count(s.to)
									: (s.to > s.from ? "+" : "\u2212") + count(Math.abs(s.to - s.from)),
							),
						),
					),
				),
			),
		),
	]);
}
