// tests/browser/scroll.js PAGE - processor time of the browser's main thread per frame
// while a large page is scrolled, as Chromium reports it. A measurement, not a test: run it by hand (docs/design/web.md).
"use strict";
const { browserPath, chromium } = require("./lib.js");
const [pageFile] = process.argv.slice(2);
const FRAMES = 100;

async function metrics(cdp) {
	const { metrics } = await cdp.send("Performance.getMetrics");
	return Object.fromEntries(metrics.map((m) => [m.name, m.value]));
}

// The same step before each frame.
function scroll([selector, dx, dy, frames]) {
	return new Promise((done) => {
		const s = document.querySelector(selector);
		let n = 0;
		const step = () => {
			if (n++ === frames) return done();
			s.scrollBy(dx, dy);
			requestAnimationFrame(step);
		};
		requestAnimationFrame(step);
	});
}

async function measure(page, cdp, what, selector, dx, dy) {
	const before = await metrics(cdp);
	await page.evaluate(scroll, [selector, dx, dy, FRAMES]);
	const after = await metrics(cdp),
		each = (key) => ((1000 * (after[key] - before[key])) / FRAMES).toFixed(1) + " ms";
	console.log(
		what + ": " + each("TaskDuration") + " a picture; script " + each("ScriptDuration"),
		"style " + each("RecalcStyleDuration") + " layout " + each("LayoutDuration"),
	);
}

(async () => {
	const browser = await chromium.launch({
		executablePath: browserPath(),
		args: ["--disable-dev-shm-usage"].concat(process.getuid() === 0 ? ["--no-sandbox"] : []),
	});
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 } }),
		cdp = await page.context().newCDPSession(page);
	await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
	await page.goto(pageFile + "#data");
	const opened = await metrics(cdp);
	console.log("opened in " + Math.round(1000 * opened.TaskDuration) + " ms of the main thread");
	await measure(page, cdp, "list, 90 pixels", "#part-data .scroll", 0, 90);
	await measure(page, cdp, "list, 900 pixels", "#part-data .scroll", 0, 900);
	await page.goto(pageFile + "#matrix");
	await page.click('button:has-text("Show all")');
	for (const [what, dx, dy] of [
		["down, 90", 0, 90],
		["down, 900", 0, 900],
		["aside, 90", 90, 0],
		["both, 90", 90, 90],
		["both, 900", 900, 900],
	])
		await measure(page, cdp, "matrix " + what + " pixels", ".matrix-scroll", dx, dy);
	await browser.close();
})();
