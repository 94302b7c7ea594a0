// tests/browser/lib.js - opens pages in Chromium and records what must not happen: errors on the
// console, exceptions, requests to other origins.
"use strict";
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { chromium } = require(path.resolve(process.env.BUILD, "browser/node_modules/playwright-core"));

function browserPath() {
	for (const name of ["chromium", "chromium-headless-shell"])
		for (const folder of process.env.PATH.split(":"))
			if (fs.existsSync(path.join(folder, name))) return path.join(folder, name);
	throw new Error("no chromium");
}

let failures = 0;

// One line per check: the expected output of the test shows that all were made.
function check(what, good, got) {
	if (good) {
		console.log("ok " + what);
	} else {
		failures++;
		console.log("FAILED " + what + (got === undefined ? "" : ": " + JSON.stringify(got)));
	}
}

function same(what, got, wanted) {
	check(what, JSON.stringify(got) === JSON.stringify(wanted), { got, wanted });
}

class Visit {
	constructor(page, origin) {
		this.page = page;
		this.origin = origin;
		this.wrong = [];
		page.on("console", (m) => ["error", "warning"].includes(m.type()) && this.wrong.push(m.text()));
		page.on("pageerror", (e) => this.wrong.push("exception: " + e.message));
		page.on("dialog", (d) => {
			this.wrong.push("dialog: " + d.message());
			d.dismiss();
		});
		page.on(
			"request",
			(r) =>
				!r.url().startsWith(this.origin) &&
				!r.url().startsWith("data:") &&
				this.wrong.push("request: " + r.url()),
		);
	}

	text(selector) {
		return this.page.locator(selector).first().innerText();
	}
}

// run(async (open) => { const visit = await open(url, {colorScheme, viewport}); ... })
async function run(test) {
	const browser = await chromium.launch({
		executablePath: browserPath(),
		args: ["--disable-dev-shm-usage"].concat(process.getuid() === 0 ? ["--no-sandbox"] : []),
	});
	const visits = [];
	try {
		await test(async (url, options) => {
			const context = await browser.newContext(
				Object.assign({ viewport: { width: 1280, height: 800 } }, options),
			);
			context.setDefaultTimeout(120000); // machines that test are busy
			const visit = new Visit(
				await context.newPage(),
				url.startsWith("http:") ? new URL(url).origin : url.split("#")[0],
			);
			visits.push(visit);
			await visit.page.goto(url);
			return visit;
		});
		same(
			"no error, no dialog, no request to elsewhere",
			visits.flatMap((v) => v.wrong),
			[],
		);
	} finally {
		await browser.close();
	}
	process.exitCode = failures > 0 ? 1 : 0;
}

// Waits until a condition holds in the page. (Playwright's own function needs eval(), which the page's policy refuses.)
async function until(page, holds, argument) {
	for (let i = 0; i < 600; i++) {
		// A page that is just being left cannot answer.
		if (await page.evaluate(holds, argument).catch(() => false)) return;
		await new Promise((go) => setTimeout(go, 50));
	}
	throw new Error("it never came to: " + holds);
}

// The page's address, asked of the page: page.url() follows what a script does to the fragment only later.
function addressOf(page) {
	return page.evaluate(() => location.href);
}

function fragmentOf(page) {
	return page.evaluate(() => location.hash);
}

// Leads the page to a part of the report, and waits until it is shown.
async function turnTo(page, part) {
	await page.evaluate((fragment) => (location.hash = fragment), part);
	await page.waitForSelector("#part-" + part);
}

function readJson(file) {
	return JSON.parse(fs.readFileSync(file, "utf8"));
}

// The JSON of a page in a file, decompressed independently of the page's code.
function pageData(url) {
	const [, type, text] = /<script type="application\/(\w+)" id="data">([^<]*)</.exec(fs.readFileSync(new URL(url), "utf8"));
	return JSON.parse(type === "zlib" ? zlib.inflateSync(Buffer.from(text, "base64")) : text);
}

// A number of events as in memspy's text; halfway cases are rounded to even.
function count(n) {
	const units = "KMGTPE";
	let unit = -1;
	if (n < 10000) return String(Math.round(n));
	while (n >= 999.95) {
		n /= 1000;
		unit++;
	}
	const digits = n < 9.995 ? 2 : 1,
		power = 10 ** digits,
		low = Math.floor(n * power);
	// Halfway in binary: 0.25 is, 0.15 is not.
	const half = (n * 8) % 1 === 0 && (n * power) % 1 === 0.5;
	return (half && low % 2 === 0 ? (low / power).toFixed(digits) : n.toFixed(digits)) + units[unit];
}

module.exports = { run, check, same, until, addressOf, fragmentOf, turnTo, readJson, pageData, count, browserPath, chromium };
