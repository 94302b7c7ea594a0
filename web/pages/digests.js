// digests.js - stall time of runs in their list. The server has to read a whole run for it, so that the list asks for the
// runs that are in sight, one after the other.

class Digests {
	constructor(changed) {
		this.changed = changed;
		this.known = new Map(); // by run: its figures; null: there are none
		this.wanted = [];
		this.asking = false;
	}

	// null: not known, or not yet.
	of(run) {
		if (!this.known.has(run.id)) {
			this.known.set(run.id, null);
			this.wanted.push(run.id);
			this.ask();
		}
		return this.known.get(run.id);
	}

	// Rows that come into sight are asked for first.
	async ask() {
		if (this.asking) return;
		this.asking = true;
		while (this.wanted.length > 0) {
			const id = this.wanted.pop();
			try {
				this.known.set(id, await fetchJson("digest/" + id + ".json"));
				this.changed();
			} catch {
				// It was removed, or the server has ended, which the list reports.
			}
		}
		this.asking = false;
	}

	// Sorting needs those of all runs.
	stall(run) {
		const digest = this.of(run);
		return digest === null ? null : digest.stall_cycles;
	}

	waiting(run) {
		const digest = this.of(run),
			all = digest === null ? 0 : digest.stall_cycles + digest.compute_cycles;
		return all > 0 && digest.compute_cycles > 0 ? digest.stall_cycles / all : null;
	}

	stallText(run) {
		const digest = this.of(run);
		if (digest === null) return "";
		return digest.unit === "nanoseconds" ? duration(digest.stall_cycles) : count(digest.stall_cycles);
	}

	picture(run) {
		const digest = this.of(run);
		return digest === null || digest.course.length === 0 ? "" : sparkline(digest.course, "Stall time from start to end");
	}
}

// A small area without axes.
function sparkline(values, label) {
	const most = Math.max(...values, 1),
		width = 120,
		height = 20,
		x = (i) => ((i / values.length) * width).toFixed(1);
	const d = values.map((v, i) => "V" + (height - (v / most) * height).toFixed(1) + "H" + x(i + 1)).join("");
	return svg(
		"svg",
		{ class: "sparkline", viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": label, preserveAspectRatio: "none" },
		svg("path", { class: "fill-stall", d: "M0," + height + d + "V" + height + "Z" }),
	);
}
