// tests/browser/serve.js ADDRESS OTHER - the served pages, and a page from elsewhere that knows the address.
"use strict";
const { run, check, same } = require("./lib.js");
const [address, other] = process.argv.slice(2);

async function runs(open) {
	const visit = await open(address), { page } = visit;
	same("the list of runs", await page.locator("tbody th").allInnerTexts(), ["matmul 295 'a b'"]);
	await page.click("tbody th button");
	await page.waitForSelector("#total-stall");
	check("a run opens", page.url() === address + "run/1");
	await page.click('a:has-text("All runs")');
	await page.waitForSelector("tbody th");
	await page.goto(address + "run/77");
	check("a run that is not there is told", (await visit.text(".warning")).includes("there is no run @77"));
	visit.wrong.length = 0; // the browser itself notes the status 404
}

// Another origin has the whole address and tries everything that pages can.
async function stranger(open) {
	const visit = await open(other), { page } = visit;
	const got = await page.evaluate(async (url) => {
		const list = [];
		for (const options of [{}, { mode: "no-cors" }, { headers: { "X-Memspy": "1" } }, { method: "POST", body: "a=b" }, { method: "POST", mode: "no-cors", body: "a=b" }])
			try {
				const answer = await fetch(url + "runs.json", options);
				list.push((await answer.text()).length);
			} catch (e) {
				list.push("refused");
			}
		const frame = document.createElement("iframe");
		frame.src = url;
		document.body.append(frame);
		await new Promise((done) => { frame.onload = done; setTimeout(done, 2000); });
		try {
			list.push("frame " + frame.contentDocument.body.innerText.length);
		} catch (e) {
			list.push("frame refused");
		}
		const script = document.createElement("script");
		script.src = url + "runs.json";
		list.push("script " + (await new Promise((done) => { script.onload = () => done("loaded"); script.onerror = () => done("refused"); document.body.append(script); })));
		return list;
	}, address);
	same("a page from elsewhere gets nothing", got, ["refused", "refused", "refused", "refused", "refused", "frame refused", "script refused"]);
	visit.wrong.length = 0; // the browser says so on its console
}

run(async (open) => {
	await runs(open);
	await stranger(open);
});
