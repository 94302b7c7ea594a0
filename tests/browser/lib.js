// tests/browser/lib.js - opens pages in Chromium, or with BROWSER=firefox in Firefox, and records what must not happen:
// errors on the console, exceptions, requests to other origins. With SLOW=20, Chromium's pages have a twentieth of a
// processor: a test that reads a result before it is there fails.
"use strict";
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const playwright = require(path.resolve(process.env.BUILD, "browser/node_modules/playwright-core")),
	{ chromium } = playwright;

const FIREFOX = process.env.BROWSER === "firefox";

function browserPath(names = ["chromium", "chromium-headless-shell"]) {
	for (const name of names)
		for (const folder of process.env.PATH.split(":"))
			if (fs.existsSync(path.join(folder, name))) return path.join(folder, name);
	throw new Error("no " + names[0]);
}

// Playwright's own builds of Firefox speak a protocol of their own; Debian's speaks WebDriver BiDi.
function launch() {
	if (FIREFOX) return playwright._bidiFirefox.launch({ executablePath: browserPath(["firefox-esr", "firefox"]) });
	return chromium.launch({
		executablePath: browserPath(),
		args: ["--disable-dev-shm-usage"].concat(process.getuid() === 0 ? ["--no-sandbox"] : []),
	});
}

// What a key or a click leads to may come with a later event (hashchange), or before the next frame.
async function settle(page) {
	const settled = () =>
		new Promise((done) => {
			setTimeout(done, 2000); // a page that is hidden has no frames
			setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
		});
	await page.evaluate(settled).catch(() => {}); // it has been left
}

// Actions return when the page has done what they lead to.
function settleAfter(object, names, pageOf) {
	for (const name of names) {
		const act = object[name];
		object[name] = async function (...args) {
			const result = await act.apply(this, args);
			await settle(pageOf(this));
			return result;
		};
	}
}

const ACTIONS = ["click", "check", "uncheck", "fill", "press", "selectOption", "hover", "focus", "dispatchEvent"];

// Firefox reports no end of a navigation to another fragment of the same page.
function goWithinPage(page) {
	const { goto } = page;
	page.goto = async (url) => {
		const before = await page.evaluate(() => location.href);
		if (before.split("#")[0] !== url.split("#")[0] || before === url) return goto.call(page, url);
		await page.evaluate((to) => location.assign(to), url);
		await settle(page);
		return null;
	};
}

async function newPage(context) {
	const page = await context.newPage(),
		locators = Object.getPrototypeOf(page.locator("body"));
	settleAfter(page.keyboard, ["press", "type"], () => page);
	settleAfter(page.mouse, ["move", "down", "up", "click", "wheel"], () => page);
	settleAfter(page, ACTIONS.concat("goBack"), () => page);
	if (!locators.settles) settleAfter(locators, ACTIONS, (locator) => locator.page());
	locators.settles = true;
	if (FIREFOX) goWithinPage(page);
	if (process.env.SLOW && !FIREFOX) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: Number(process.env.SLOW) });
	return page;
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

// Of figures that are fetched, or computed in the background: read() until it is what is wanted, or for a long time.
async function becomes(what, read, wanted) {
	let got;
	for (let i = 0; i < 400; i++) {
		got = await read();
		if (JSON.stringify(got) === JSON.stringify(wanted)) break;
		await new Promise((go) => setTimeout(go, 50));
	}
	same(what, got, wanted);
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
	const browser = await launch();
	const visits = [];
	try {
		await test(async (url, options) => {
			const context = await browser.newContext(
				Object.assign({ viewport: { width: 1280, height: 800 } }, options),
			);
			context.setDefaultTimeout(120000); // machines that test are busy
			const visit = new Visit(
				await newPage(context),
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
	await settle(page);
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

module.exports = { run, check, same, becomes, until, addressOf, fragmentOf, turnTo, readJson, pageData, count, browserPath, chromium };
