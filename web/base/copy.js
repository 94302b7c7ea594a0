// copy.js - lists and figures as Markdown, for issues and mails.

const COPIED_ROWS = 200;

function plainText(content) {
	return typeof content === "string" ? content : h("span", {}, content).textContent;
}

// Rows of texts; the first has the headings. figures: which columns are aligned to the right.
function markdownTable(rows, figures) {
	const line = (cells) => "| " + cells.map((c) => String(c).replace(/\|/g, "\\|").replace(/\s+/g, " ").trim()).join(" | ") + " |";
	return [line(rows[0]), line(figures.map((right) => (right ? "---:" : "---")))].concat(rows.slice(1).map(line)).join("\n") + "\n";
}

// Code within a line; it may contain backticks.
function codeText(text) {
	const ticks = "`".repeat(1 + Math.max(0, ...(text.match(/`+/g) || []).map((t) => t.length)));
	return ticks + (ticks.length > 1 ? " " + text + " " : text) + ticks;
}

// make(): the text.
function copyButton(make) {
	const button = h("button", { type: "button", class: "copy", title: "Copy as Markdown", onclick: () => copy() }, "Copy");
	const done = (text) => {
		button.textContent = text;
		say(text === "Copied" ? "Copied as Markdown" : text);
		setTimeout(() => (button.textContent = "Copy"), 1500);
	};
	const copy = () =>
		navigator.clipboard
			? navigator.clipboard.writeText(make()).then(
					() => done("Copied"),
					() => done("Not allowed"),
				)
			: done("Not possible here");
	return button;
}
