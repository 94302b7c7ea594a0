// tests/browser/open-file.js FILE ADDRESS - the file that memspy serve --open gives to the browser leads to the served pages, once.
"use strict";
const { run, check, same } = require("./lib.js");
const [file, address] = process.argv.slice(2);

run(async (open) => {
	const text = require("fs").readFileSync(new URL(file), "utf8"),
		visit = await open(file),
		{ page } = visit;
	await page.waitForURL(address);
	await page.waitForSelector("tbody th");
	same("the list of runs", await page.locator("tbody th").allInnerTexts(), ["matmul 295 'a b'"]);
	check("the file is gone", !require("fs").existsSync(new URL(file)));
	same("what was asked for on the way is the server's", visit.wrong.filter((w) => !w.startsWith("request: " + new URL(address).origin)), []);
	const entry = /url=([^"]*)"/.exec(text)[1];
	same("the entry opens nothing again", (await page.goto(entry)).status(), 404);
	visit.wrong.length = 0; // the browser itself notes the status
});
