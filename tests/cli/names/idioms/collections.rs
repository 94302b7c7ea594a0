// Vec, Box, HashMap, String, Rc and friends of Rust.
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

struct Node {
    value: [u64; 64],
    next: Option<Box<Node>>,
}

#[inline(never)]
fn sum(values: &[u64]) -> u64 {
    values.iter().sum()
}

fn main() {
    let n = 1000u64 + std::env::args().count() as u64;
    let values: Vec<u64> = (0..n).collect();
    let zeros = vec![0u64; n as usize];
    let mut pushed = Vec::new();
    let boxed = Box::new([n; 512]);
    let shared = Rc::new([n; 512]);
    let mut map = HashMap::new();
    let mut set = HashSet::new();
    let mut tree = BTreeMap::new();
    let mut queue = VecDeque::new();
    let mut text = String::new();
    let mut list: Option<Box<Node>> = None;
    for i in 0..n {
        pushed.push(i);
        map.insert(i, i);
        set.insert(i);
        tree.insert(i, i);
        queue.push_back(i);
        text.push_str("some text ");
        list = Some(Box::new(Node { value: [i; 64], next: list }));
    }
    let mut total = sum(&values) + sum(&zeros) + sum(&pushed) + sum(&boxed[..]) + sum(&shared[..]);
    for i in 0..n {
        total += map[&i] + tree[&i] + set.contains(&i) as u64 + queue[i as usize];
    }
    let mut node = &list;
    while let Some(b) = node {
        total += b.value[3];
        node = &b.next;
    }
    println!("{} {}", total, text.len());
}
