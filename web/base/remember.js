// remember.js - choices of the reader: what is folded, and what lists of choices, checkboxes and buttons have. They are kept
// by name when a part is drawn anew (another range of time, figures of a running program), and when the page is loaded
// again. Those with data-choice are in the address of their part, too (address.js).

const REMEMBERED = new Map();

function remember(key, value) {
	REMEMBERED.set(key, value);
	try {
		sessionStorage.setItem("memspy:" + key, value);
	} catch {
		// Without storage the choice is kept until the page is left.
	}
}

// null: nothing was chosen.
function recall(key) {
	if (REMEMBERED.has(key)) return REMEMBERED.get(key);
	try {
		return sessionStorage.getItem("memspy:" + key);
	} catch {
		return null;
	}
}

// What a folded part or a control is called, without figures, which change.
function nameOfControl(element) {
	const summary = element.matches("details") && element.querySelector("summary"),
		address = summary && summary.querySelector("code");
	if (address) return address.textContent;
	if (summary) return summary.textContent.replace(/[\d.,]+[KMGTP%]?/g, "#");
	return (element.matches("input") ? element.closest("label") || element : element).textContent; // a select has an id
}

const CONTROLS = "details, select, input[type=checkbox], button.toggle";

// Folded parts and controls in an element: [key, element]. The matrix keeps its own.
function controlsIn(root) {
	const times = new Map();
	return Array.from(root.querySelectorAll(CONTROLS))
		.filter((element) => !element.closest("#part-matrix .tools"))
		.map((element) => {
			const part = element.closest(".part, #detail"),
				like = element.matches("select") ? element.id : [part && part.id, element.tagName, element.id, nameOfControl(element)].join("\n");
			times.set(like, (times.get(like) || 0) + 1);
			return [like + "\n" + times.get(like), element];
		});
}

function choiceOf(element) {
	if (element.matches("select")) return element.value;
	return (element.matches("details") ? element.open : element.matches("input") ? element.checked : element.getAttribute("aria-pressed") === "true") ? "1" : "0";
}

function setChoice(element, value) {
	if (value === null || value === choiceOf(element)) return;
	if (element.matches("details")) element.open = value === "1";
	else if (!element.matches("select")) element.click();
	else if (Array.from(element.options).some((o) => o.value === value)) {
		element.value = value;
		element.dispatchEvent(new Event("change"));
	}
}

// Before an element is drawn anew: also what was not chosen, but opened by a link.
function keepControls(root) {
	for (const [key, element] of controlsIn(root)) REMEMBERED.set(key, choiceOf(element));
}

// What the part's address states, else what was chosen last.
function restoreControls(root, stated) {
	for (const [key, element] of controlsIn(root)) {
		const at = element.dataset.choice;
		setChoice(element, stated && at ? stated[at] || withoutChoice(element) : recall(key));
	}
	return root;
}

// What it begins with.
function withoutChoice(element) {
	return element.matches("select") ? element.options[0].value : "0";
}

// Before the element itself handles the event, and may be drawn anew.
function takeChoice(element, value) {
	const root = element.closest(".part, #detail"),
		found = root && controlsIn(root).find(([, e]) => e === element);
	if (!found) return;
	remember(found[0], value);
	if (element.dataset.choice) keepChoice(root.id.replace("part-", ""), element.dataset.choice, value === withoutChoice(element) ? "" : value);
}

document.addEventListener("change", ({ target }) => target.matches("select, input[type=checkbox]") && takeChoice(target, choiceOf(target)), true);
document.addEventListener(
	"click",
	({ target }) => {
		const element = target.closest("button.toggle, details > summary"),
			control = element && (element.matches("summary") ? element.parentElement : element);
		if (control) takeChoice(control, choiceOf(control) === "1" ? "0" : "1");
	},
	true,
);

// A list of choices {key, label}; apply() follows each change. choice: its name in the address.
function choiceList(id, choice, choices, apply) {
	return h(
		"select",
		{ id, "data-choice": choice, onchange: apply },
		choices.map((c) => h("option", { value: c.key }, c.label)),
	);
}
