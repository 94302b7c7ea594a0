// tests/browser/out-of-order.js PAGE... - runs of an out-of-order core: prints the time of the whole program, the core, and
// the parts of why the first data structure costs what it costs.
"use strict";
const { run } = require("./lib.js");

run(async (open) => {
	for (const file of process.argv.slice(2)) {
		const { page } = await open(file);
		console.log((await page.locator("#whole-time p").first().innerText()).trim());
		await page.locator(".about-run summary").click();
		const facts = await page.locator("#part-overview .facts").first().innerText();
		console.log(facts.replace(/\n+/g, "\n").match(/out-of-order.*/)[0]);
		for (const part of ["data/0", "code/0", "bin/0/0"]) {
			await page.goto(file + "#" + part);
			const timing = page.locator("#detail .timing");
			console.log(part + ": " + ((await timing.count()) ? (await timing.innerText()).replace(/\n+/g, "\n  ") : "no parts"));
		}
	}
});
