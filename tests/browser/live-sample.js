// tests/browser/live-sample.js ADDRESS PID - a program (tests/programs/endless.c) that is sampled, while it runs.
"use strict";
const { run, check, same, until, addressOf } = require("./lib.js");
const [address, pid] = process.argv.slice(2);

run(async (open) => {
	const visit = await open(address),
		{ page } = visit,
		card = await visit.text(".live");
	check("the list tells of samples, not of misses", / samples in /.test(card) && !/miss/.test(card), card);
	await page.click('.live a:has-text("Its data and code so far")');
	await page.waitForSelector("#part-overview section");
	same("the list leads to the running program", await addressOf(page), address + "live/" + pid);
	await until(page, () => / samples\.$/.test(document.querySelector(".live-note").textContent));
	await page.click('#nav a:has-text("Matrix")');
	await page.waitForSelector('[role=gridcell][aria-label^="chase with ring"]');
	check("with its data and code", true);
	const before = await visit.text(".live-note");
	await until(page, (text) => document.querySelector(".live-note").innerText !== text, before);
	check("which grow", true);
	process.kill(Number(pid), "SIGINT");
	await page.waitForSelector('a:has-text("Its run is kept")');
	visit.wrong.length = 0; // the browser itself notes the status 404 of what has ended
	await page.goto(address);
	await page.waitForSelector("tbody tr");
	check("the list names the real machine", (await visit.text("tbody tr")).includes("real: timer"));
});
