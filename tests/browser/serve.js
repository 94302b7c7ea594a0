// tests/browser/serve.js ADDRESS OTHER - the served pages, and a page of another origin that knows the address.
"use strict";
const { run, check, same, becomes, count, until, addressOf } = require("./lib.js");
const [address, other] = process.argv.slice(2);

async function runs(open) {
	const visit = await open(address),
		{ page } = visit;
	same("the list of runs", await page.locator("tbody th").allInnerTexts(), [
		"matmul 295 'a b'",
		"matmul 295 'a b'",
	]);
	const stall = JSON.parse(
		require("child_process").execFileSync(process.env.MEMSPY, ["report", "--db", "matmul.db", "--json", "@1"], { encoding: "utf8" }),
	).totals.stall_cycles;
	const heads = await page.locator("thead th").allInnerTexts(),
		cell = (title) => page.locator("tbody tr >> nth=1").locator("th, td").nth(heads.indexOf(title));
	await becomes("with its stall time", async () => (await cell("Stall").innerText()).trim(), count(stall));
	check("and the share of it", /^\d+\.\d%$/.test(await cell("Waiting").innerText()), await cell("Waiting").innerText());
	check("and when it was", (await cell("Stall over the run").locator(".sparkline path").count()) === 1);
	await page.click("tbody th .plain >> nth=1");
	await page.waitForSelector("#total-stall");
	same("a run opens", await addressOf(page), address + "run/1");
	await page.click('a:has-text("All runs")');
	await page.waitForSelector("tbody th");
	await page.goto(address + "run/77");
	check("a run that does not exist is reported", (await visit.text(".warning")).includes("there is no run @77"));
	// The browser itself notes the status 404, maybe later.
	for (let i = 0; i < 400 && visit.wrong.length === 0; i++) await new Promise((go) => setTimeout(go, 50));
	visit.wrong.length = 0;
}

// On a phone, runs are cards: all of their figures, sorting and comparing, and nothing beside the screen.
async function cards(open) {
	const { page } = await open(address, { viewport: { width: 390, height: 844 } });
	await page.waitForSelector("tbody th");
	const wide = await page.locator(".list .scroll").evaluate((s) => [s.scrollWidth - s.clientWidth, document.documentElement.scrollWidth - innerWidth]);
	same("on a phone the list of runs does not scroll sideways", wide, [0, 0]);
	const cells = await page.locator("tbody tr >> nth=1").locator("th, td").evaluateAll((list) => list.map((c) => c.getBoundingClientRect()).map((b) => [b.left >= 0, b.right <= innerWidth, b.width > 10]));
	same("each run has all its figures in sight", [cells.length, cells.filter((c) => c.includes(false))], [13, []]);
	await becomes("with their names", () => page.locator("tbody tr >> nth=1").locator('[data-key="stall"]').evaluate((c) => getComputedStyle(c, "::before").content.replace(/["\s]/g, "")), "Stall");
	const first = () => page.locator("tbody tr >> nth=0").locator('[data-key="id"]').innerText();
	same("the last run is the first,", await first(), "@2");
	await page.click('thead button:has-text("Run")');
	await page.click('thead button:has-text("Run")');
	same("unless they are sorted otherwise", await first(), "@1");
	await page.check('[aria-label="Compare run @1"]');
	await page.check('[aria-label="Compare run @2"]');
	same("two can be compared", await page.locator('a:has-text("Compare run @1 with run @2")').count(), 1);
	await page.setViewportSize({ width: 1280, height: 800 });
	await becomes("on a wide screen they are rows", () => page.locator("tbody tr >> nth=0").evaluate((tr) => tr.getBoundingClientRect().height < 40), true);
	check("and still chosen", await page.locator('[aria-label="Compare run @1"]').isChecked());
}

// The stored run and a copy of it with a tenth of the misses on Matrix.Y.
async function diff(open) {
	const visit = await open(address),
		{ page } = visit;
	await page.check('[aria-label="Compare run @1"]');
	await page.check('[aria-label="Compare run @2"]');
	await page.click('a:has-text("Compare run @1 with run @2")');
	await page.waitForSelector("#metric");
	const rows = (await page.locator("tbody tr").allInnerTexts()).map((t) => t.split("\t").map((w) => w.trim()));
	const expected = JSON.parse(require("fs").readFileSync("diff.json", "utf8"));
	const bin = rows.find((r) => r[0] === expected.bins[0].name);
	check(
		"the largest change is that of memspy diff --json",
		bin !== undefined &&
			bin[3].includes("\u25bc") &&
			bin[4] === "\u2212" + (-100 * expected.bins[0].metrics.stall.relative).toFixed(1) + "%",
		bin,
	);
	const cells = (at) => page.locator("#matrices table").nth(at).locator("td a").evaluateAll((list) => list.map((a) => a.getAttribute("aria-label"))),
		sides = [await cells(0), await cells(1)],
		place = ", " + expected.bins[0].data + " in " + expected.bins[0].code + ": ",
		figure = (side) => expected.bins[0].metrics.stall[side].toLocaleString("en-US", { maximumFractionDigits: 0 });
	check("a matrix of the run before", sides[0].includes("Before: @1" + place + figure("before")), sides[0]);
	check("beside that of the run after", sides[1].includes("After: @2" + place + figure("after")), sides[1]);
	const wide = await page.locator("#matrices .scroll").evaluateAll((list) => list.map((s) => [s.scrollWidth <= s.clientWidth, s.clientWidth - s.firstChild.getBoundingClientRect().width]));
	check("both have room, and frames end with them", wide.length === 2 && wide.every(([fits, rest]) => fits && rest < 20), wide);
	const lines = await page.locator('.list:has(caption:text-is("Lines")) tbody th').evaluateAll((list) => list.map((th) => [th.innerText.trim(), th.querySelector("a").getAttribute("href").replace(/.*#/, "")])),
		first = expected.lines.find((l) => l.metrics.stall.change !== 0);
	check("a line is named once, with its code", lines.some(([words]) => words === first.file + ":" + first.line + " " + first.code), lines.slice(0, 3));
	check("code without a line leads to its function", lines.every(([words, href]) => !words.includes("?:0") && words.startsWith("no line") === href.startsWith("code/")), lines.slice(0, 9));
	const boxes = await page.locator("#matrices table").evaluateAll((list) => list.map((t) => t.getBoundingClientRect().top));
	same("side by side", boxes[0], boxes[1]);
	await page.locator("#matrices table >> nth=1").locator("td a").first().click();
	await page.waitForSelector("#detail h2");
	check("a cell leads to its run", (await addressOf(page)).startsWith(address + "run/2#bin/"), await addressOf(page));
	await page.goBack();
	await page.waitForSelector("#matrices");
	check("nothing is kept free for parts of a report", !(await page.locator("#nav").isVisible()));
	const links = await page.locator("#waterfall th a, .list tbody th a").evaluateAll((list) => list.map((a) => a.getAttribute("href")));
	check("so do rows and steps", links.length > 3 && links.every((href) => /run\/[12]#(bin|data|code|source)\/./.test(href)), links);
	await page.keyboard.press("?");
	check("the keys are listed here, too", await page.locator("#keys").isVisible());
	await page.keyboard.press("Escape");
	await page.keyboard.press("j");
	check("and lead from row to row", await page.evaluate(() => document.activeElement.closest("tbody") !== null));
	check(
		"what differs is remarked",
		(await page.locator(".warning").allTextContents()).join("") === expected.remarks.join(""),
		expected.remarks,
	);
}

// A name given through the page applies to all commands, and can be removed.
async function rename(open) {
	const visit = await open(address + "run/1#data/0"),
		{ page } = visit;
	const before = await visit.text("#detail h2");
	await page.fill("#new-name", "weights <b>");
	await page.click('button:has-text("Rename")');
	await until(
		page,
		() =>
			document.querySelector("#part-data tbody th") &&
			document.querySelector("#part-data tbody th").innerText === "weights <b>",
	);
	check("renamed in the page", true);
	const shown = require("child_process").execFileSync(
		process.env.MEMSPY,
		["report", "--db", "matmul.db", "--json", "@1"],
		{ encoding: "utf8" },
	);
	same("and in the shell", JSON.parse(shown).data[0].name, "weights <b>");
	await page.goto(address + "run/1#data/1");
	await page.fill("#new-name", "weights <b>");
	await page.click('button:has-text("Rename")');
	await page.waitForSelector(".rename .warning:not([hidden])");
	check(
		"a name that is taken is refused",
		(await visit.text(".rename .warning")).includes("already data called"),
		await visit.text(".rename .warning"),
	);
	await page.goto(address + "rules");
	same("the rule is listed", await page.locator("tbody th").count(), 1);
	await page.click('button:has-text("Remove")');
	await until(page, () => document.body.innerText.includes("There are none"));
	await page.goto(address + "run/1#data/0");
	same("and taken back", await visit.text("#detail h2"), before);
}

// Two data structures with one name are combined, in the page and in the shell.
async function combine(open) {
	const visit = await open(address + "run/1#data"),
		{ page } = visit;
	const report = () =>
		JSON.parse(
			require("child_process").execFileSync(
				process.env.MEMSPY,
				["report", "--db", "matmul.db", "--json", "@1"],
				{ encoding: "utf8" },
			),
		).data;
	const before = report(),
		all = (list, names) =>
			list.filter((d) => names.includes(d.name)).reduce((sum, d) => sum + d.stall_cycles, 0);
	for (const name of ["Matrix.X", "Matrix.Z"]) {
		await page.goto(address + "run/1#data");
		await page.click('#part-data tbody th .plain:has-text("' + name + '")');
		await page.fill("#new-name", "factors");
		await page.click('button:has-text("Combine")');
		await until(
			page,
			(gone) => {
				const names = [...document.querySelectorAll("#part-data tbody th")].map((e) => e.innerText);
				return names.includes("factors") && !names.includes(gone);
			},
			name,
		);
	}
	const names = await page.locator("#part-data tbody th").allInnerTexts();
	check(
		"one data in the page",
		names.includes("factors") && !names.includes("Matrix.X") && !names.includes("Matrix.Z"),
		names,
	);
	same(
		"and in the shell, with the stall time of both",
		all(report(), ["factors"]),
		all(before, ["Matrix.X", "Matrix.Z"]),
	);
	await page.goto(address + "rules");
	for (let left = await page.locator("tbody th").count(); left > 0; left--) {
		await page.click('button:has-text("Remove") >> nth=0');
		await until(page, (n) => document.querySelectorAll("tbody th").length < n, left);
	}
	await until(page, () => document.body.innerText.includes("There are none"));
}

// Presses Tab until the element with the focus matches.
async function tabTo(page, selector) {
	for (let i = 0; i < 80; i++) {
		if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return true;
		await page.keyboard.press("Tab");
	}
	return false;
}

// Without a mouse: two runs compared, data renamed, the rule removed.
async function keyboard(open) {
	const { page } = await open(address);
	await page.waitForSelector("tbody th");
	for (const id of [2, 1]) {
		check("keys reach run @" + id, await tabTo(page, '[aria-label="Compare run @' + id + '"]'));
		await page.keyboard.press("Space");
	}
	await page.evaluate(() => document.activeElement.blur());
	check("and what compares them", await tabTo(page, 'main a[href*="diff/1/2"]'));
	await page.keyboard.press("Enter");
	await page.waitForSelector("#metric");
	const steps = await page.locator("#waterfall tbody th").allInnerTexts();
	same("a waterfall leads from one run to the other", [steps[0], steps[steps.length - 1]], ["before", "after"]);
	await page.goto(address + "run/1#data");
	await page.waitForSelector("#part-data tbody th .plain");
	check("keys reach a data", await tabTo(page, "#part-data tbody th .plain"));
	const before = await page.evaluate(() => document.activeElement.innerText);
	await page.keyboard.press("Enter");
	await page.waitForSelector("#new-name");
	check("its details, and the place for a name", await tabTo(page, "#new-name"));
	await page.keyboard.press("Control+A");
	await page.keyboard.type("by keys");
	await page.keyboard.press("Enter");
	await until(page, () => document.querySelector("#part-data tbody th") && document.querySelector("#part-data tbody th").innerText === "by keys");
	await page.goto(address + "rules");
	await page.waitForSelector("tbody button");
	check("keys reach the rule", await tabTo(page, 'tbody button[aria-label^="Remove"]'));
	await page.keyboard.press("Enter");
	await until(page, () => document.body.innerText.includes("There are none"));
	await page.goto(address + "run/1#data");
	await until(page, (name) => document.querySelector("#part-data tbody th") && document.querySelector("#part-data tbody th").innerText === name, before);
	check("renamed and taken back by keys alone", true);
}

// A new run appears in the list soon, and the user's selection is kept.
async function arrivals(open) {
	const { page } = await open(address);
	await page.waitForSelector("tbody th");
	await page.click('th button:has-text("Seconds")');
	await page.check('[aria-label="Compare run @1"]');
	await page.focus('[aria-label="Compare run @2"]');
	require("child_process").execFileSync(process.env.MEMSPY, ["run", "-q", "--db", "matmul.db", "--", "true"]);
	await until(page, () => document.querySelectorAll("tbody tr").length === 3);
	same(
		"a run that comes is listed, and what was chosen stays",
		await page.evaluate(() => [
			document.querySelector('th[aria-sort="descending"]').innerText.trim(),
			document.querySelector('[aria-label="Compare run @1"]').checked,
			document.activeElement.getAttribute("aria-label"),
		]),
		["Seconds", true, "Compare run @2"],
	);
	require("child_process").execFileSync(process.env.MEMSPY, ["runs", "delete", "--db", "matmul.db", "@3"]);
	await until(page, () => document.querySelectorAll("tbody tr").length === 2);
	check("and one that goes is not", true);
}

// On a phone, runs can be selected for comparison without horizontal scrolling.
async function phone(open) {
	const { page } = await open(address, { viewport: { width: 390, height: 844 } });
	const box = await page.locator('[aria-label="Compare run @1"]').boundingBox();
	check("Compare is in sight on a phone", box.x >= 0 && box.x + box.width <= 390, box);
	await page.check('[aria-label="Compare run @1"]');
	await page.check('[aria-label="Compare run @2"]');
	await page.waitForSelector('a:has-text("Compare run @1 with run @2")');
	const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	check("and the page is not wider than it", wide <= 0, wide);
	for (const path of ["diff/1/2", "rules", "run/1#data/0"]) {
		await page.goto(address + path);
		await until(page, () => document.querySelector("main").childElementCount > 0);
		const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		check("nor is " + path, over <= 0, over);
	}
}

// Another origin has the whole address and tries everything that pages can do.
async function stranger(open) {
	const visit = await open(other),
		{ page } = visit;
	const got = await page.evaluate(async (url) => {
		const list = [];
		for (const options of [
			{},
			{ mode: "no-cors" },
			{ headers: { "X-Memspy": "1" } },
			{ method: "POST", body: "a=b" },
			{ method: "POST", mode: "no-cors", body: "a=b" },
		])
			try {
				const answer = await fetch(url + "runs.json", options);
				list.push((await answer.text()).length);
			} catch (e) {
				list.push("refused");
			}
		const frame = document.createElement("iframe");
		frame.src = url;
		document.body.append(frame);
		await new Promise((done) => {
			frame.onload = done;
			setTimeout(done, 2000);
		});
		try {
			list.push("frame " + frame.contentDocument.body.innerText.length);
		} catch (e) {
			list.push("frame refused");
		}
		const script = document.createElement("script");
		script.src = url + "runs.json";
		list.push(
			"script " +
				(await new Promise((done) => {
					script.onload = () => done("loaded");
					script.onerror = () => done("refused");
					document.body.append(script);
				})),
		);
		return list;
	}, address);
	same("a page from elsewhere gets nothing", got, [
		"refused",
		"refused",
		"refused",
		"refused",
		"refused",
		"frame refused",
		"script refused",
	]);
	visit.wrong.length = 0; // the browser says so on its console
}

run(async (open) => {
	await runs(open);
	await cards(open);
	await diff(open);
	await rename(open);
	await combine(open);
	await keyboard(open);
	await arrivals(open);
	await phone(open);
	await stranger(open);
});
