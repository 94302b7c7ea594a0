// remember.js - choices of the reader that are not in the address: they are kept when the page is drawn anew (figures of a
// running program), and when it is loaded again.

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

// A list of choices {key, label} that begins with the one that was chosen last; apply() follows each change.
function rememberedSelect(id, choices, apply) {
	const last = recall(id),
		select = h(
			"select",
			{
				id,
				onchange: () => {
					remember(id, select.value);
					apply();
				},
			},
			choices.map((c) => h("option", { value: c.key }, c.label)),
		);
	if (choices.some((c) => c.key === last)) select.value = last;
	return select;
}
