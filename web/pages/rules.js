// rules.js - rename, combine and hide through the page, and the list of rules. They are the rules of
// memspy rename, combine, hide and rules, stored in the database.

async function change(form) {
	const answer = await fetch(served("rules"), {
		method: "POST",
		headers: { "X-Memspy": "1", "Content-Type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams(form).toString(),
	});
	if (answer.headers.get("Content-Type") !== "application/json")
		throw new Error("the server answers " + answer.status);
	const result = await answer.json();
	if (!result.done) throw new Error(result.error);
}

// In the details of data or code, if there is a server that can store it.
function renamePart(choice) {
	if (!SERVER || choice.of === "bins" || choice.run.run.id === null) return null;
	const subject = choice.of === "code" ? "code" : "data",
		thing = choice.of === "code" ? choice.run.codeName(choice.code) : choice.run.dataName(choice.data);
	const message = h("p", { class: "warning", role: "alert", hidden: true });
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
			message.hidden = false;
			replace(message, e.message);
		}
	};
	const button = (verb, label, title) => h("button", { type: "button", title, onclick: () => ask(verb) }, label);
	return h(
		"section",
		{ class: "rename" },
		h("h4", {}, "Rename or regroup"),
		h(
			"div",
			{ class: "tools" },
			h("label", { for: "new-name" }, "Name "),
			input,
			button("rename", "Rename", "Shown under this name in all runs of the program"),
			button("combine", "Combine", "Combines it with all others of this name"),
			button("hide", "Hide", "Adds it to <hidden>"),
		),
		message,
		h(
			"p",
			{ class: "quiet" },
			"Stored as a rule in the run database, for all runs of this program; ",
			h("a", { href: served("rules") }, "all rules"),
			".",
		),
	);
}

class RulesPage {
	constructor(data) {
		const rules = data.rules.rules,
			message = h("p", { class: "warning", role: "alert", hidden: true });
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
				message.hidden = false;
				replace(message, e.message);
			}
		};
		replace(
			document.getElementById("main"),
			h(
				"p",
				{},
				"Rules that apply to all reports of all runs. Rules of a file are removed in the file.",
			),
			message,
			rules.length === 0
				? h(
						"p",
						{},
						"There are none. The details of data and of functions have a form to add one.",
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
