// timing.js - runs of an out-of-order core: why a bin costs what it costs.

function isTimed(run) {
	return Boolean(run.run.core) && run.run.core.cost === "exposed";
}

// Joined runs: time was measured, and causes were simulated.
function isMeasured(run) {
	return Boolean(run.run.joined) && run.run.time === "measured";
}

// Whether the parts of stall are known.
function hasParts(run) {
	return isTimed(run) || isMeasured(run);
}

// ", 46.0 ms" where cycles are estimated and the clock is known, or where they were measured: then a cycle of an
// unknown clock is a nanosecond.
function milliseconds(run, cycles) {
	const clock = (run.run.core && run.run.core.clock_mhz) || (isMeasured(run) ? 1000 : 0);
	if (!hasParts(run) || !clock) return "";
	return ", " + Number((cycles / (1000 * clock)).toPrecision(4)) + " ms";
}

// Of a comparison whose runs both have an out-of-order core.
function speedupText(speedup) {
	if (!speedup) return null;
	const digits = (value) => Number(value.toPrecision(3));
	return h(
		"p",
		{ id: "speedup" },
		speedup.measured ? "Speedup: " : "Predicted speedup: ",
		h("b", {}, digits(speedup.times)),
		speedup.low !== null && speedup.high !== null
			? " (95% interval: " + digits(speedup.low) + " to " + digits(speedup.high) + ")"
			: "",
		speedup.measured ? ", measured" : ", by the timing model",
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
						["not explained by the simulation", get("timing.unexplained_cycles") || 0],
					]),
			),
			"waits-for",
			"timing",
		),
		// What is exposed was measured, what is hidden was simulated: they do not add up to latencies.
		!isMeasured(run) &&
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

const DIFFERS = ["", "more was measured than the simulation explains", "less was measured than the simulation expects"];

// "Measured 300 ms, 28.7–34.6%; estimated 95.6%: less was measured than the simulation expects"
function measuredText(choice) {
	const differs = DIFFERS[choice.get("differs") || 0];
	return h(
		"p",
		{ id: "measured" },
		"Measured ",
		h("b", {}, duration(choice.get("stall_ns"))),
		", ",
		betweenShares(choice.bounds("stall_share")),
		"; estimated ",
		((choice.get("estimated_share") || 0) * 100).toFixed(1) + "%",
		differs && [": ", h("b", { class: "differs" }, differs)],
	);
}

function timingOf(choice) {
	if (!hasParts(choice.run) || !choice.exists) return null;
	return h(
		"section",
		{ class: "timing" },
		h("h4", {}, isMeasured(choice.run) ? "Measured time by simulated causes" : "Why it costs this (estimated)"),
		isMeasured(choice.run) && measuredText(choice),
		h("dl", { class: "figures" }, timingFigures(choice.run, (path) => choice.get(path))),
	);
}
