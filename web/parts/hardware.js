// hardware.js - runs that were sampled on the real machine: maps their fields to the names that the parts of
// the page use. They have no levels; times are nanoseconds, or latencies in cycles.

// Events without a time, such as page faults, are weighted by their number.
function asEntry(e) {
	e.stall_cycles = e.stall_ns !== undefined ? e.stall_ns : e.latency !== undefined ? e.latency : e.events || 0;
	e.stall_share = e.share;
	e.compute_cycles = e.compute_ns || 0;
	e.references = { read: e.events !== undefined ? e.events : e.samples, write: 0 };
	e.levels = [];
	return e;
}

function takeHardware(data) {
	const lines = data.lines;
	data.report.run.machine_levels = [];
	if (data.report.run.hardware.unit === "none")
		for (const table of Object.values(data.tables))
			if (table.columns && table.columns.includes("stall.read")) weighByEvents(table);
	asEntry(data.report.totals);
	data.report.unattributed.forEach(asEntry);
	for (const file of lines.files) {
		asEntry(file);
		asEntry(file.rest);
		file.lines.forEach((line) => asEntry(line).data.forEach(asEntry));
	}
	[lines.totals, lines.rest, lines.unknown_line, lines.not_asked_for].forEach(asEntry);
}

function weighByEvents(table) {
	const at = (path) => table.columns.indexOf(path);
	for (const row of table.rows)
		for (const access of ["read", "write"]) row[at("stall." + access)] = row[at("references." + access)] || 0;
}

// Samples of events do not measure the time between them: only a timer has compute time.
function computingIsKnown(run) {
	return !run.range && (!run.run.hardware || run.run.hardware.unit === "nanoseconds");
}

// What the shares of a run refer to: at the head of a column, as a title and in a sentence.
function weight(run) {
	const unit = run.run.hardware ? run.run.hardware.unit : "";
	if (unit === "none") return { head: "Share", title: "Events", words: "events" };
	if (unit === "cycles") return { head: "Latency", title: "Latency", words: "latency" };
	return { head: "Stall", title: "Stall time", words: "stall time" };
}

// "26.9M cycles", "6.53 ms".
function amount(run, value) {
	const hardware = run.run.hardware;
	if (hardware && hardware.unit === "none") return count(value) + (value === 1 ? " event" : " events");
	if (!hardware || hardware.unit !== "nanoseconds") return count(value) + " cycles";
	return duration(value);
}

// As in memspy report.
const SOURCES = {
	pebs: "Intel PEBS",
	ibs: "AMD IBS",
	spe: "Arm SPE",
	timer: "timer",
	"page-faults": "page faults",
};

function originText(origin) {
	return (origin.tag ? "@" + origin.tag : origin.uid.slice(0, 8)) + " (" + origin.started + ")";
}

function joinedWarning(run) {
	const j = run.run.joined;
	return (
		(isMeasured(run)
			? "Times were measured on the real machine by a "
			: "Times are estimated: too few samples, or another cost was asked for. Measured by a ") +
		(SOURCES[j.source] || j.source) +
		", " +
		plural(j.samples, "sample") +
		(j.covered < 1 ? " of " + share(j.covered) + " of the time, extrapolated to all of it" : "") +
		". Causes, misses and evictions were simulated" +
		(j.simulated ? ": runs " + originText(j.simulated) + " and " + originText(j.measured) : "") +
		"."
	);
}

function hardwareWarning(run) {
	const w = run.run.hardware,
		lost = w.lost.reduce((sum, l) => sum + l.samples, 0);
	return (
		"Sampled on the real machine, by " +
		(SOURCES[w.source] || w.source) +
		(w.event ? " (" + w.event + ")" : "") +
		": " +
		plural(w.samples, "sample") +
		(w.unit !== "nanoseconds" && w.period <= 1
			? ", each of them"
			: ", one in " +
				count(w.period) +
				(w.unit === "nanoseconds" ? " ns of processor time" : " events")) +
		(w.overhead === null ? "" : ", which took " + share(w.overhead) + " of the program's time") +
		(lost > 0 ? "; " + plural(lost, "sample") + " could not be attributed" : "") +
		(w.inferred > 0.3
			? "; " +
				share(w.inferred) +
				" are in heap blocks that were not recorded, and have the data of recorded blocks that the same code uses"
			: "") +
		(w.page_fault_ns > 0 ? "; the time of page faults is estimated by their number" : "") +
		". Shares have 95% intervals; such runs have no misses, causes and evictions."
	);
}
