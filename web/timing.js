// timing.js - runs of an out-of-order core: why a bin costs what it costs.

function isTimed(run) {
	return Boolean(run.run.core) && run.run.core.cost === "exposed";
}

// ", 46.0 ms" where cycles are estimated and the clock is known.
function milliseconds(run, cycles) {
	if (!isTimed(run) || !run.run.core.clock_mhz) return "";
	return ", " + Number((cycles / (1000 * run.run.core.clock_mhz)).toPrecision(4)) + " ms";
}

// Of a comparison whose runs both have an out-of-order core.
function speedupText(speedup) {
	if (!speedup) return null;
	const digits = (value) => Number(value.toPrecision(3));
	return h(
		"p",
		{ id: "speedup" },
		"Predicted speedup: ",
		h("b", {}, digits(speedup.times)),
		speedup.low !== null && speedup.high !== null
			? " (95 % interval: " + digits(speedup.low) + " to " + digits(speedup.high) + ")"
			: "",
		", by the timing model",
	);
}

// "L2 65.4M (85.0%), memory 9.58M (12.5%)", without those that are 0.
function partsText(parts) {
	const all = parts.reduce((sum, [, n]) => sum + n, 0);
	return (
		parts
			.filter(([, n]) => n > 0)
			.map(([label, n]) => label + " " + count(n) + " (" + percent(n, all) + ")")
			.join(", ") || "none"
	);
}

const DEPENDENCES = [
	["pointer chain", "chained"],
	["gather", "led"],
	["affine", "affine"],
	["not known", "unknown"],
];

// get: the figure of a path.
function timingFigures(run, get) {
	const answers = run.levels.map((level, i) => ({
		name: i + 1 < run.levels.length ? run.levels[i + 1].name : "memory",
		get: (figure) => get("timing.answers." + i + "." + figure + "_cycles"),
	}));
	const sum = (figure) => answers.reduce((all, a) => all + a.get(figure), 0);
	return [
		figure(
			"Waits for",
			partsText(
				answers
					.map((a) => [a.name, a.get("exposed")])
					.concat([
						["page walks", get("timing.page_walk_cycles")],
						["bandwidth", get("timing.bandwidth_cycles")],
					]),
			),
			"waits-for",
			"timing",
		),
		figure(
			"Latency of misses",
			partsText(["exposed", "prefetched", "overlapped"].map((part) => [part, sum(part)])),
			"latency",
			"timing",
		),
		figure(
			"Addresses depend on",
			partsText(DEPENDENCES.map(([label, key]) => [label, get("timing.dependences." + key)])),
			"dependences",
			"dependences",
		),
	];
}

function timingOf(choice) {
	if (!isTimed(choice.run) || !choice.exists) return null;
	return h(
		"section",
		{ class: "timing" },
		h("h4", {}, "Why it costs this (estimated)"),
		h("dl", { class: "figures" }, timingFigures(choice.run, (path) => choice.get(path))),
	);
}
