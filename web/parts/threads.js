// threads.js - time by processor, thread and function.

function waitBar(e, longest, what) {
	return bar(
		[
			{ value: e.compute_cycles, of: "compute", label: "computing: " + count(e.compute_cycles) },
			{ value: e.stall_cycles, of: "stall", label: "waiting for memory: " + count(e.stall_cycles) },
			{
				value: e.wait_cycles || e.idle_cycles || 0,
				of: "wait",
				label:
					(e.idle_cycles === undefined ? "waiting for others: " : "idle: ") +
					count(e.wait_cycles || e.idle_cycles || 0),
			},
		],
		longest,
		what,
	);
}

function timeColumns(run, rows, what) {
	const whole = (e) => e.compute_cycles + e.stall_cycles + (e.wait_cycles || e.idle_cycles || 0),
		longest = rows.reduce((m, e) => Math.max(m, whole(e)), 0);
	return [
		{
			key: "bar",
			label: "Time",
			text: true,
			value: whole,
			cell: (e) => h("div", { class: "wide" }, waitBar(e, longest, what(e))),
		},
		{
			key: "compute",
			label: "Compute",
			help: "compute",
			value: (e) => e.compute_cycles,
			between: betweenIn(run, "compute_cycles"),
		},
		{
			key: "stall",
			label: "Stall",
			help: "stall",
			value: (e) => e.stall_cycles,
			between: betweenIn(run, "stall_cycles"),
		},
	];
}

function threadsPart(run) {
	const t = run.data.threads,
		wait = { key: "wait", label: "Wait", help: "wait", value: (e) => e.wait_cycles };
	const parallel = {
		key: "parallelism",
		label: "Parallelism",
		value: (e) => e.parallelism,
		cell: (e) => (e.parallelism === null || e.parallelism === undefined ? "-" : fixed(e.parallelism, 1)),
	};
	const part = (title, rows, columns, words, address) =>
		rows.length > 0 && [
			h("h3", {}, title),
			new ListTable({ caption: title, rows, words, columns, address }).element,
		];
	return [
		helpFor("threads"),
		samplingNote(run, "threads"),
		h("p", {}, h("b", {}, count(t.totals.elapsed_cycles)), " cycles until the end of the last thread."),
		legend([
			{ of: "compute", label: "computing" },
			{ of: "stall", label: "waiting for memory" },
			{ of: "wait", label: "waiting for others, or idle" },
		]),
		threadLanes(run),
		part(
			"Processors",
			t.processors,
			[{ key: "processor", label: "Processor", value: (p) => p.processor }].concat(
				timeColumns(run, t.processors, (p) => "processor " + p.processor),
				[
					{
						key: "busy",
						label: "Busy",
						value: (p) => p.busy_share,
						cell: (p) => share(p.busy_share),
					},
				],
			),
		),
		part(
			"Threads",
			t.threads,
			[
				{
					key: "thread",
					label: "Thread",
					text: true,
					value: (x) => x.thread,
					cell: (x) => [x.thread, " ", name(x.name || "")],
				},
			].concat(
				timeColumns(run, t.threads, (x) => "thread " + x.thread),
				[
					wait,
					parallel,
					{
						key: "ended",
						label: "End",
						text: true,
						value: (x) => x.ended,
						cell: (x) => x.ended,
					},
				],
			),
			(x) => x.name || "",
		),
		part(
			"Functions",
			t.code,
			[
				{
					key: "name",
					label: "Function",
					text: true,
					value: (c) => c.name,
					cell: (c) => name(c.name),
				},
			].concat(
				timeColumns(run, t.code, (c) => c.name),
				[
					{
						key: "normalized",
						label: "Normalized",
						help: "normalized",
						value: (c) => c.normalised_cycles,
					},
					wait,
					parallel,
				],
			),
			(c) => c.name,
			(c) => "#code/" + encodeURIComponent(c.name),
		),
	];
}
