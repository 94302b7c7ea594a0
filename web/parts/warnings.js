// warnings.js - what applies to all figures of a run: how it ended, what was not counted, that it was sampled.

const ENDS = {
	signaled: "The program was killed by a signal",
	interrupted: "The run was stopped before the program had ended",
	lost: "The end of the program is not known",
};

// "00:03:00": the time that the figures of an incomplete run cover.
function clock(seconds) {
	const two = (n) => String(Math.floor(n)).padStart(2, "0");
	return two(seconds / 3600) + ":" + two((seconds / 60) % 60) + ":" + two(seconds % 60);
}

// A run that was saved before its program had ended.
function incompleteState(r) {
	const state = r.checkpoint ? r.checkpoint.state : "unknown";
	return state === "unknown" ? "incomplete" : state;
}

function incompleteWarning(r) {
	const why = {
		running: "The run had not ended when this page was made",
		interrupted: "The run was interrupted: memspy itself was killed",
		incomplete: "The run is incomplete: it was saved before the program had ended",
	};
	return why[incompleteState(r)] + ". The figures cover its first " + clock(r.wall_seconds) + " (hours, minutes, seconds).";
}

// Why the run has no figures, or hardly any; null: it has.
function emptiness(run) {
	const r = run.run;
	if (run.total("references.read") || run.total("references.write")) return null;
	if (!r.hardware)
		return (
			"This run is empty: no reference was counted" +
			(r.stops > 0 ? ", the program switched counting off." : ".")
		);
	return r.hardware.samples > 0
		? "None of the samples waited for memory."
		: "This run is empty: no sample was taken. The program ended too soon, or hardly used a processor.";
}

// What is missing from all figures: the native front-end does not trace everything.
function untracedWarnings(r) {
	const sum = (rows, key) => rows.reduce((all, u) => all + u[key], 0);
	const why = (rows) => ": " + rows.map((u) => u.reason).join("; ") + ".";
	const own = (r.untraced || []).filter((u) => u.who === "program"),
		children = (r.untraced || []).filter((u) => u.who === "child"),
		seconds = sum(own, "seconds"),
		list = [];
	if (own.length > 0)
		list.push(
			"Counted in part: the program ran untraced " +
				plural(sum(own, "times"), "time") +
				(seconds > 0
					? ", for " +
						duration(Math.round(seconds * 1e9)) +
						" of its " +
						duration(Math.round(r.processor_seconds * 1e9)) +
						" of processor time"
					: "") +
				why(own),
		);
	if (children.length > 0)
		list.push("Of its children " + sum(children, "times") + " ran untraced" + why(children));
	for (const u of (r.untraced || []).filter((u) => u.who === "loader"))
		list.push(
			"The dynamic loader was not traced: before the program started it made about " +
				count(u.times) +
				" references (estimated). --frontend valgrind counts them.",
		);
	const waiting = (r.untraced || []).filter((u) => u.who === "waiting");
	if (waiting.length > 0)
		list.push(
			"In loops of " +
				waiting.map((u) => u.reason).join(", ") +
				" threads wait for others; the number of references depends on timing: " +
				count(sum(waiting, "times")) +
				" between windows are not counted.",
		);
	return list;
}

// Why no window of a sampled program was simulated.
function noWindow(r) {
	if (r.stops > 0) return "no window opened while the program counted, from MEMSPY_START() on";
	return r.end === "lost" || r.end === "incomplete" ? "no window opened while the program was traced" : "the program ended before a window opened";
}

// Warnings that apply to all figures.
function warnings(run) {
	const r = run.run,
		list = [];
	if (run.data.live) {
		// It is still running: the page says so above.
	} else if (r.end === "incomplete") {
		list.push(incompleteWarning(r));
	} else if (ENDS[r.end]) {
		const signal = r.end !== "lost" && r.exit_status > 0 ? " (signal " + r.exit_status + ")" : "";
		list.push(ENDS[r.end] + signal + ". The figures cover the time until then.");
	} else if (r.exit_status !== 0) list.push("The program ended with exit status " + r.exit_status + ".");
	if (r.sampling && r.sampling.windows === 0 && r.sampling.references === 0)
		list.push("Sampled: of " + count(r.sampling.total) + " references none was simulated: " + noWindow(r) + ".");
	else if (r.sampling)
		list.push(
			"Sampled: of " +
				count(r.sampling.total) +
				" references, " +
				count(r.sampling.references) +
				" were seen, in " +
				plural(r.sampling.windows, "window") +
				(r.sampling.sets > 1 ? ", one set in " + r.sampling.sets : "") +
				". Figures are estimates for the whole program, except for the timeline, which has the figures of windows; " +
				(r.sampling.miss_rates.some((rate) => rate.low !== null)
					? "95% intervals are shown where they exist."
					: "there are too few windows for intervals.") +
				(r.sampling.total_low < r.sampling.total_high
					? " There were " +
						count(r.sampling.total_low) +
						" to " +
						count(r.sampling.total_high) +
						" references: all counts and times have the same relative range."
					: ""),
		);
	if (r.hardware) list.push(hardwareWarning(run));
	if (r.joined) list.push(joinedWarning(run));
	list.push(...untracedWarnings(r));
	if (r.misses_only)
		list.push(
			"Missing: references and miss rates of data, as hits were not looked up (--misses-only). Those of code and lines are complete.",
		);
	if (r.grouped)
		list.push(
			"Grouped: " +
				plural(r.grouped.data, "heap data structure") +
				(r.grouped.by === "auto" ? " with less than 1% of the stall time each" : "") +
				" in " +
				plural(r.grouped.groups, "group") +
				" by " +
				(r.grouped.by === "function" ? "allocating function" : "type or allocating function") +
				", " +
				share(r.grouped.stall_share) +
				" of the stall time; --group none shows each.",
		);
	const empty = emptiness(run);
	if (empty) list.push(empty);
	list.push(...(run.data.report.hints || []).map((hint) => "Hint: " + hint));
	const changed = run.data.lines ? run.data.lines.files.filter((f) => f.changed) : []; // else the part Source says it
	if (changed.length > 0)
		list.push(
			"Source changed since " +
				(changed[0].changed === "after run" ? "the run" : "the program was built") +
				": " +
				changed
					.map((f) => baseName(f.file))
					.slice(0, 4)
					.join(", ") +
				". Line numbers may be wrong.",
		);
	return list.map((text) => h("p", { class: "warning", role: "note" }, text));
}
