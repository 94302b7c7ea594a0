// tests/browser/hostile.js PAGE - names that contain markup, scripts, or characters that reverse text.
"use strict";
const { run, check, same } = require("./lib.js");
const [pageFile] = process.argv.slice(2);

run(async (open) => {
	const visit = await open(pageFile),
		{ page } = visit;
	const parts = (
		await page.locator("nav a").evaluateAll((list) => list.map((a) => a.getAttribute("href")))
	).concat(["#bin/0/0", "#code/0", "#data/0"]);
	for (const part of parts) {
		await page.goto(pageFile + part);
		await page.waitForTimeout(20);
	}
	same("nothing of it ran", await page.evaluate(() => window.broken === undefined), true);
	same(
		"no element came of it",
		await page.locator("main img, main script, aside img, aside script, b.evil").count(),
		0,
	);
	const text = await page.evaluate(() => document.body.textContent);
	check("tags are text", text.includes("<script>window.broken=1</script>"));
	check("quotes are text", text.includes("\"'><img src=x onerror=window.broken=2>"));
	check("what reads backwards is shown by its number", text.includes("\u27e8U+202E\u27e9"), text.slice(0, 300));
	check(
		"and not as itself",
		!/[\u202a-\u202e\u2066-\u2069]/.test(await page.evaluate(() => document.body.innerText)),
	);
	const attributes = await page.evaluate(() =>
		[...document.querySelectorAll("*")].flatMap((e) =>
			[...e.attributes]
				.filter((a) => /^on|[\u202a-\u202e]/i.test(a.name + a.value) && /^on/i.test(a.name))
				.map((a) => a.name),
		),
	);
	same("no attribute is a script", attributes, []);
});
