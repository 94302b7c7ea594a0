// tests/browser/thread-lanes.js PAGE THREADS.json - threads as lanes from their start to their end, as memspy threads has them.
"use strict";
const { run, check, same, readJson, count } = require("./lib.js");
const [pageFile, threadsFile] = process.argv.slice(2);
const threads = readJson(threadsFile).threads.sort((a, b) => a.began - b.began || a.thread - b.thread);

run(async (open) => {
	const { page } = await open(pageFile + "#threads");
	await page.waitForSelector("#part-threads .thread");
	const lanes = await page.locator("#part-threads .thread").evaluateAll((list) =>
		list.map((g) => {
			const back = g.previousElementSibling.getBoundingClientRect(),
				parts = [...g.querySelectorAll("rect")],
				box = parts[0].getBoundingClientRect();
			return {
				words: g.querySelector("title").textContent,
				from: (box.left - back.left) / back.width,
				to: (box.right - back.left) / back.width,
				stall: parts.filter((r) => r.classList.contains("fill-stall")).reduce((s, r) => s + r.getBoundingClientRect().height, 0) / back.height,
			};
		}),
	);
	same("every thread has a lane", lanes.length, threads.length);
	const end = Math.max(...threads.map((t) => t.began + t.elapsed_cycles)),
		near = (a, b) => Math.abs(a - b) < 0.02;
	check("from its start to its end", threads.every((t, i) => near(lanes[i].from, t.began / end) && near(lanes[i].to, (t.began + t.elapsed_cycles) / end)), lanes);
	check(
		"as high in stall as its share",
		threads.every((t, i) => near(lanes[i].stall, t.stall_cycles / (t.compute_cycles + t.stall_cycles + t.wait_cycles))),
		lanes,
	);
	check("with its name and processor", threads.every((t, i) => lanes[i].words.startsWith("thread " + t.thread + " (" + t.name + "), last on processor " + t.processor + ": cycles " + count(t.began))), lanes);
	await page.locator('#nav a[data-part="timeline"]').click();
	const over = await page.locator("#over-time .lane-text").allTextContents();
	check("threads have lanes of their own", threads.every((t) => over.some((text) => text.startsWith("Latency of misses of thread " + t.thread + " ("))), over);
	check("processors name their threads", threads.filter((t) => t.name).some((t) => over.some((text) => text.startsWith("Latency of misses of processor " + t.processor) && text.includes(t.name))), over);
});
