// rules.js - names that the reader gives: rename, combine and hide through the page, and the list of
// what was given. They are the rules of memspy rename, combine, hide and rules, kept in the database.

async function change(form) {
	const answer = await fetch(served("rules"), {
		method: "POST",
		headers: { "X-Memspy": "1", "Content-Type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams(form).toString(),
	});
	if (answer.headers.get("Content-Type") !== "application/json")
		throw new Error("the server answers " + answer.status);
	const told = await answer.json();
	if (!told.done) throw new Error(told.error);
}

// In the details of one data or code, where there is a server that can keep it.
function renamePart(choice) {
	if (!SERVER || choice.of === "bins" || choice.run.run.id === null) return null;
	const subject = choice.of === "code" ? "code" : "data",
		thing = choice.of === "code" ? choice.run.codeName(choice.code) : choice.run.dataName(choice.data);
	const told = h("p", { class: "warning", role: "alert", hidden: true });
	const input = h("input", {
		type: "text",
		id: "new-name",
		value: thing,
		autocomplete: "off",
		spellcheck: "false",
		onkeydown: (e) => {
			if (e.key === "Enter") ask("rename");
		},
	});
	const ask = async (verb) => {
		try {
			await change({
				run: choice.run.run.id,
				subject,
				verb,
				thing,
				name: verb === "hide" ? "" : input.value,
			});
			location.hash = subject; // rows may stand elsewhere now
			location.reload();
		} catch (e) {
			told.hidden = false;
			replace(told, e.message);
		}
	};
	const button = (verb, label, title) => h("button", { type: "button", title, onclick: () => ask(verb) }, label);
	return h(
		"section",
		{ class: "rename" },
		h("h4", {}, "Call it otherwise"),
		h(
			"div",
			{ class: "tools" },
			h("label", { for: "new-name" }, "Name "),
			input,
			button("rename", "Rename", "Shown under this name in all runs of the program"),
			button("combine", "Combine", "One thing with all others that are called so"),
			button("hide", "Hide", "Added up as <hidden>"),
		),
		told,
		h(
			"p",
			{ class: "quiet" },
			"Kept as a rule in the run database, for all runs of this program; ",
			h("a", { href: served("rules") }, "all rules"),
			".",
		),
	);
}

class RulesPage {
	constructor(data) {
		const rules = data.rules.rules,
			told = h("p", { class: "warning", role: "alert", hidden: true });
		document.title = "Rules - memspy";
		replace(
			document.getElementById("head"),
			h("h1", {}, "Rules"),
			h("span", { class: "tools" }, h("a", { href: served("") }, "All runs"), themeButton()),
		);
		const remove = async (rule) => {
			try {
				await change({ remove: rule.id });
				location.reload();
			} catch (e) {
				told.hidden = false;
				replace(told, e.message);
			}
		};
		replace(
			document.getElementById("main"),
			h(
				"p",
				{},
				"Names and groups that hold in all views of all runs. Those of a file are removed there.",
			),
			told,
			rules.length === 0
				? h(
						"p",
						{},
						"There are none. The details of a data or a function have a place to give one.",
					)
				: new ListTable({
						caption: "Rules",
						rows: rules,
						words: (r) => r.text,
						columns: [
							{
								key: "text",
								label: "Rule",
								text: true,
								value: (r) => r.text,
								cell: (r) => name(r.text),
							},
							{
								key: "program",
								label: "Program",
								text: true,
								value: (r) => r.program || "",
								cell: (r) => name(r.program || "any"),
							},
							{
								key: "added",
								label: "Added",
								text: true,
								value: (r) => r.added || "",
								cell: (r) => r.added || name(r.file + ":" + r.line),
							},
							{
								key: "remove",
								label: "",
								text: true,
								cell: (r) =>
									r.id === null
										? ""
										: h(
												"button",
												{
													type: "button",
													"aria-label":
														"Remove rule " +
														r.text,
													onclick: () =>
														remove(
															r,
														),
												},
												"Remove",
											),
							},
						],
					}).element,
		);
	}
}
