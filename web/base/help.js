// help.js - explanations of the figures and parts of the page, and the glossary.

const HELP = {
	stall: "Cycles that the processor waited for memory: every miss, times the latency of what answered it. Less stall makes a program faster without less computation.",
	compute: "One cycle per instruction, hits in the first cache level included.",
	waiting: "Stall time as a share of compute and stall time.",
	references: "Loads and stores. An instruction that modifies memory counts as a read.",
	misses: "References whose line was not in this cache level.",
	rate: "Misses of the level as a share of all references.",
	first: "The line had never been in this level. Larger lines, a prefetcher or less data help.",
	replacement:
		"The line had been in this level and was evicted by other lines before it was used again. Smaller pieces of work (tiling), another layout or padding help.",
	capacity: "Replacement misses that a fully associative cache of the same size would have had as well: less data at a time helps.",
	conflict: "Replacement misses that a fully associative cache of the same size would not have had: another alignment, padding or size of a row helps.",
	invalidation:
		"Another processor had written to the line. Keeping data of different processors in different lines, or writing less shared data, helps.",
	false_sharing:
		"Invalidation misses on bytes that no other processor had written: only the line is shared, not the data.",
	peer: "Misses that another processor's cache answered.",
	covered: "Misses that the level's prefetcher would have fetched in time. They count as misses here.",
	optimal:
		"Misses of a fully associative cache of the same size with optimal replacement: it evicts the line that is used again last.",
	touched: "Lines that the touched bytes would fill if no line had any other.",
	avoidable_replacement:
		"The share of the misses that another replacement or mapping to sets avoids at most. Misses by invalidation are not included.",
	avoidable_order: "The share of the misses that another order of accesses, or a larger cache, avoids at most.",
	avoidable_layout: "The share of the misses that another layout avoids at most.",
	reuse: "The share of the misses on lines that were used before. Each pair of lines of code is shown: the one that used the cache line before, and the one that misses on it.",
	between: "How many bytes of other lines were used in between: the geometric mean, as a power of two. A cache that holds as much would have hit.",
	access_sequential: "Most references begin where the one before begins or ends.",
	access_strided: "Most references are at one or few other distances from the one before.",
	access_gather: "Most addresses of the misses depend on other loads.",
	access_chain: "Most addresses of the misses depend on an earlier load of the same instruction.",
	access_irregular: "References are at many distances from the one before.",
	timing: "What the stall time consists of, by the timing model of the out-of-order core, and how much latency of misses the core hid.",
	dependences: "What the addresses of the misses depend on. Misses of a pointer chain follow one another; those of a gather overlap; affine ones are mostly prefetched.",
	estimated: "The share of all stall time that the simulation alone estimates. Beside it is the measured one.",
	differs:
		"The estimated share lies outside of the measured interval, by more than the usual error of the estimate: more or less was measured.",
	average: "Stall cycles for each reference, on average: the latency that the program sees.",
	objects: "Number of heap blocks or variables of this data.",
	bytes: "Total size of all objects.",
	peak: "Largest total size of live objects at one time.",
	occupancy: "Share of the cache level's lines that hold this data, on average over the run.",
	evicts: "Lines that references to this data evicted from the level.",
	evicted: "Lines of this data that were evicted from the level.",
	normalized: "Compute and stall time divided by the number of processors that were busy at the time: serial execution counts fully, execution beside three others a quarter. A large value with little parallelism is a serial bottleneck.",
	wait: "Cycles that a thread waited: for locks, joins, in spinning, for a processor.",
	interval: "The run was sampled, so figures are estimates. With a probability of 95% the true value is in this range.",
	name: "Its name in the program.",
};

const PARTS = {
	overview: "Where the time of the program goes: computing, and waiting by what answered the misses; a heat map of the pairs of code and data that wait the most. Times are in cycles of the simulated machine: one per instruction, and the latency of what answered each miss. They rank data and code, but do not predict elapsed time, since overlap and prefetching are not modeled; with an out-of-order core, a model of these estimates the time.",
	matrix: "Code (rows) by data (columns): the share of each pair in the chosen figure. The stronger the color, the more. A total at the head of a column sorts the code by it. Choose a cell for the details of the pair: why its data was not in the cache, and what evicted it. Shares are rounded individually.",
	flame: "Stall time by call path: a box is as wide as what its function and all that it calls waited for; what it calls is below it, and at the bottom is the data that it waited for. Colors are those of the data, or cause, with most of it. A click zooms in; the arrow keys move, Enter zooms. 'Callers' begins with the functions that wait.",
	code: "All functions: compute time, stall time and misses. Choose one for its data and lines.",
	data: "All data of the program by name: size, references, causes of misses, occupancy of the caches. Choose one for its details. In the treemap an area is the bytes of data, its color their stall time.",
	evictions: "Which data (rows) evicts which data (columns) from a cache level. A column adds up to 100%: all evictions of that data. On the diagonal, data evicts itself: it is reused too late for its size. Elsewhere, two data structures conflict: padding or moving one of them may help.",
	sharing: "Misses because another processor wrote to a line. With false sharing only the line is shared, not the data: separating the data saves the miss.",
	source: "Source lines of the program that wait for memory, with their context. The darker a line's edge, the more of all stall time it has. 'Columns' chooses the figures, 'Instructions' shows those of a function.",
	timeline: "Misses and contents of each cache level by data, from the start of the program to its end. Steps are executed blocks of code and references. Data that alternates in a level conflicts with itself or others. Dragging over a chart restricts all parts to a range of time; lanes below have phases, functions, processors and threads.",
	threads: "Where each thread, function and processor spent its time: computing, waiting for memory, waiting for others. Times are virtual cycles of the simulated machine.",
	ranks: "How the ranks of a parallel job differ, or the processes of a command: a job ends with its slowest rank. Time is computing and waiting for memory; what functions of MPI take that poll for other ranks is apart, since it depends on when the others arrive. Of each rank the eight data with the most stall are known.",
	about: "The terms and figures of this page.",
};

function helpFor(part) {
	return h("details", { class: "help" }, h("summary", {}, "What this shows"), h("p", {}, PARTS[part]));
}

// The terms of docs/glossary.md; tools/check-glossary compares them.
const GLOSSARY = [
	[
		"reference",
		"one memory access of the program, a load or a store; an instruction that modifies memory counts as a read",
	],
	["code", "a function, inlined functions included"],
	[
		"data",
		"what the programmer thinks of as one data structure: a variable, or all heap blocks of one allocation call path",
	],
	["call path", "the chain of calls that led to an allocation, with recursion folded"],
	["bin", "a pair of code and data; the unit of all statistics"],
	["level", "one cache of the memory hierarchy (L1, L2, ...), or all caches of that level"],
	[
		"miss",
		"a reference whose line was not in a level; its cause is first reference, replacement or invalidation",
	],
	["first reference", "a miss on a line that had never been in this level"],
	["replacement", "a miss on a line that had been evicted since its last use"],
	["conflict", "a replacement miss that a fully associative cache of the same size would have hit"],
	[
		"capacity",
		"a replacement miss that a fully associative cache of the same size would have missed as well",
	],
	["ambiguous", "a replacement miss of which it is not known whether it is a conflict or a capacity miss"],
	["saved by mapping", "a hit that a fully associative cache of the same size would have missed"],
	["invalidation", "a miss on a line that a store of another processor had invalidated"],
	["true sharing", "an invalidation miss on bytes that another processor has written"],
	["false sharing", "an invalidation miss on bytes that no other processor has written; only the line is shared"],
	["eviction", "the removal of a line from a level because a reference brought in another line"],
	["evictor", "the data, and the code, whose reference caused an eviction"],
	["occupancy", "the share of a level's lines that hold a data structure, over time"],
	[
		"compute",
		"one cycle for each instruction, hits in the first level included; with an out-of-order core an estimate",
	],
	[
		"stall",
		"cycles that the processor waits for memory: each miss times the latency of what answered it; with an out-of-order core only the exposed part of it",
	],
	["exposed", "the part of the latency of misses that an out-of-order core waits for; the rest is hidden"],
	[
		"prefetched",
		"the part of the latency of misses that a prefetcher hides, because it requests the line in advance",
	],
	["overlapped", "the part of the latency of misses that other misses and computation at the same time hide"],
	["page walk", "the lookup of an address in the page tables, after misses of all levels of the TLB"],
	[
		"bandwidth",
		"as a cause of stall: waiting for transfers from memory that are limited by bytes per cycle, not by latency",
	],
	[
		"pointer chain",
		"misses whose address is loaded by an earlier execution of the same instruction, so that they cannot overlap",
	],
	["gather", "misses whose address other loads determine, such as an index; they can overlap with each other"],
	[
		"affine",
		"misses whose address depends on no load, such as those of a counted loop; prefetchers cover most of them",
	],
	["finding", "a change of the program that is predicted to gain time, with the figures that show it"],
	["predicted gain", "the share of the program's time that the remedy of a finding should save"],
	["peer", "a cache of another processor that answered a miss"],
	["normalized time", "time divided by the number of processors that were busy; large where a program is serial"],
	["phase", "a part of the execution that the program has named with memspy_phase()"],
	[
		"step",
		"the unit of time over a run: an executed block of code or a reference; steps of a sampled run are those of its windows",
	],
	["window", "a part of the execution that is simulated while the rest is not"],
	[
		"interval",
		"the range that contains the true value with a probability of 95%, of figures that are estimated",
	],
	["joined run", "a simulated run with the time that a timer measured in the same program on the real machine"],
	["rule", "a user's instruction to rename, combine, split or hide data or code"],
	["machine", "the memory system that is simulated"],
	["run", "one profiled execution, as it is kept in the run database"],
];
