// findings.js - what to change in the program: a card for each finding, the largest predicted gain first.

// "45% (21% to 71%)", of shares.
function gainText(gain) {
	const share = (value) => Math.round(100 * value) + "%";
	return share(gain.predicted) + " (" + share(gain.low) + " to " + share(gain.high) + ")";
}

// Data and code of a finding, as links where the page has them.
function findingPlace(run, f) {
	const data = f.data && run.rowOfData.has(f.data) ? run.rowOfData.get(f.data) : -1,
		code = f.code ? rowAt(run, "code", encodeURIComponent(f.code)) : -1;
	return [
		f.data && [data >= 0 ? link(dataAddress(run, data), name(f.data)) : name(f.data), f.code && " in "],
		f.code && (code >= 0 ? link(data >= 0 ? binAddress(run, code, data) : codeAddress(run, code), name(f.code)) : name(f.code)),
		f.file && f.line && [" (", sourceLink(run, f.file, f.line), ")"],
	];
}

function findingCard(run, f) {
	return h(
		"article",
		{ class: "card" },
		h("h4", {}, f.title),
		h("p", {}, findingPlace(run, f)),
		h("p", {}, "Predicted gain: ", h("b", {}, gainText(f.gain)), " of the time"),
		h(
			"ul",
			{},
			f.evidence.map((e) =>
				h("li", {}, e.figure, e.command && h("details", {}, h("summary", {}, "Command"), h("code", {}, name(e.command)))),
			),
		),
		h("p", {}, f.remedy),
		f.snippet && h("pre", {}, f.snippet),
		h("p", { class: "quiet" }, "Wrong if: " + f.wrong_if + "."),
	);
}

function findingText(run, f) {
	return [
		"### " + f.title,
		plainText(findingPlace(run, f)),
		"Predicted gain: **" + gainText(f.gain) + "** of the time",
		f.evidence.map((e) => "- " + e.figure + (e.command ? ": " + codeText(e.command) : "")).join("\n"),
		f.remedy,
		f.snippet && "```\n" + f.snippet.replace(/\n$/, "") + "\n```",
		"Wrong if: " + f.wrong_if + ".",
	]
		.filter(Boolean)
		.map(visible)
		.join("\n\n");
}

// For runs without a finding, as most are, why there is none.
function findingsPart(run) {
	const advise = run.data.advise;
	if (!advise || (advise.findings.length === 0 && !advise.statement)) return null;
	if (advise.findings.length === 0)
		return h("section", { id: "findings" }, h("h3", {}, "Findings"), h("p", {}, advise.statement));
	return h(
		"section",
		{ id: "findings" },
		h("div", { class: "picture-head" }, h("h3", {}, "Findings"), copyButton(() => advise.findings.map((f) => findingText(run, f)).join("\n\n") + "\n")),
		h("p", { class: "quiet" }, "Gains are predicted one by one; those on the same data do not add up."),
		h("div", { class: "cards" }, advise.findings.map((f) => findingCard(run, f))),
	);
}
