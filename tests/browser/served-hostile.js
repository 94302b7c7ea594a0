// tests/browser/served-hostile.js ADDRESS PAGE... - served pages with names that contain markup, scripts, or characters that reverse text.
"use strict";
const { run, check, same, until } = require("./lib.js");
const [address, ...pages] = process.argv.slice(2);

run(async (open) => {
	for (const path of pages) {
		const { page } = await open(address + path),
			what = path.replace(/\d{2,}/g, "PID") || "/";
		await until(page, () => document.querySelector("main").textContent.includes("script>"));
		const found = await page.evaluate(() => ({
			ran: window.broken !== undefined,
			made: document.querySelectorAll("main img, main script, aside img, aside script, header img, b.evil").length,
			turned: /[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText + document.title),
			text: document.body.textContent.includes("window.broken="),
			shown: document.body.textContent.includes("\u27e8U+202E\u27e9"),
		}));
		// Rules are shown as in their file, with its own escapes.
		const wanted = { ran: false, made: 0, turned: false, text: true, shown: path !== "rules" };
		same(what + ": names are text", found, wanted);
	}
});
