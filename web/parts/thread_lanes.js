// thread_lanes.js - threads as lanes over the time of the run. When a thread waited is not stored: within its lane, the
// height of a color is its share of the thread's time.

const THREAD_LANE = 18,
	THREAD_TEXT = 17,
	MOST_THREADS = 40;

const THREAD_PARTS = [
	{ key: "compute_cycles", of: "compute", label: "computing" },
	{ key: "stall_cycles", of: "stall", label: "waiting for memory" },
	{ key: "wait_cycles", of: "wait", label: "waiting for others" },
];

function threadWordsOf(t) {
	return (
		"thread " +
		t.thread +
		(t.name ? " (" + t.name + ")" : "") +
		", last on processor " +
		t.processor +
		": cycles " +
		count(t.began) +
		" to " +
		count(t.began + t.elapsed_cycles) +
		", " +
		THREAD_PARTS.map((p) => p.label + " " + percent(t[p.key], t.elapsed_cycles)).join(", ")
	);
}

// One lane; scale: pixels of a cycle.
function threadLane(t, top, scale) {
	const x = (t.began * scale).toFixed(1),
		width = Math.max(1, t.elapsed_cycles * scale).toFixed(1),
		whole = THREAD_PARTS.reduce((sum, p) => sum + t[p.key], 0);
	let y = top + THREAD_LANE;
	return svg(
		"g",
		{ class: "thread" },
		svg("title", {}, threadWordsOf(t)),
		THREAD_PARTS.map((p) => {
			const high = whole > 0 ? (t[p.key] / whole) * THREAD_LANE : 0;
			y -= high;
			return high > 0 && svg("rect", { x, y: y.toFixed(1), width, height: high.toFixed(1), class: "fill-" + p.of });
		}),
	);
}

// Nothing for a single thread.
function threadLanes(run) {
	const all = run.data.threads.threads.filter((t) => t.elapsed_cycles > 0),
		drawn = all.slice(0, MOST_THREADS).sort((a, b) => a.began - b.began || a.thread - b.thread),
		end = Math.max(...drawn.map((t) => t.began + t.elapsed_cycles)),
		width = chartWidth(),
		each = THREAD_TEXT + THREAD_LANE,
		high = drawn.length * each;
	if (drawn.length < 2) return null;
	const room = Math.floor(width / LETTER),
		lanes = drawn.map((t, i) => {
			const top = i * each + THREAD_TEXT,
				words = threadWordsOf(t);
			return [
				svg("text", { class: "tick lane-text", x: 0, y: top - 4 }, words.length > room ? shortened([words], room)[0] : words),
				svg("rect", { class: "lane-back", x: 0, y: top, width, height: THREAD_LANE }),
				threadLane(t, top, width / end),
			];
		});
	const picture = chart(width, high, lanes, [], "Threads over time: " + drawn.map(threadWordsOf).join("; "), "cycles of the simulated machine", stepTicks({ steps: end }));
	return pictured(
		"Threads over time",
		picture,
		h(
			"p",
			{ class: "quiet" },
			"From the start of a thread to its end. The height of a color is its share of the thread's time." +
				(all.length > drawn.length ? " Without " + plural(all.length - drawn.length, "more thread") + "." : ""),
		),
	);
}
