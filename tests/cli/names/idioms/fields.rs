// Fields of structures that a literal fills, keys of format!, and elements that closures make.
use std::collections::{BTreeMap, HashMap};

struct Grid {
    cells: Vec<f64>,
    marks: Vec<u32>,
    names: HashMap<String, usize>,
}

impl Grid {
    fn new(n: usize) -> Self {
        Self { cells: vec![0.5; n], marks: Vec::with_capacity(n), names: HashMap::new() }
    }

    fn fill(&mut self, n: usize) {
        for i in 0..n {
            self.marks.push(i as u32);
            self.names.insert(format!("name {}", i), i);
        }
    }
}

struct Pair {
    left: Vec<u64>,
    right: Box<[u8]>,
}

fn pair(n: usize) -> Result<Pair, String> {
    Ok(Pair { left: (0..n as u64).collect(), right: vec![1u8; n].into_boxed_slice() })
}

struct Item {
    weight: [u64; 8],
}

fn main() {
    let n = 999 + std::env::args().count();
    let mut grid = Grid::new(n);
    grid.fill(n);
    let both = pair(n).unwrap();
    let mut list = Vec::new();
    for i in 0..10 {
        list.push(pair(n + i).unwrap());
    }
    let made: Vec<Pair> = (0..10).map(|i| Pair { left: vec![i; n], right: Box::new([1; 64]) }).collect();
    let items: Vec<Box<Item>> = (0..n).map(|i| Box::new(Item { weight: [i as u64; 8] })).collect();
    let rows: Vec<Vec<f64>> = (0..100).map(|i| vec![i as f64; n]).collect();
    let words: Vec<String> = (0..n).map(|i| i.to_string()).collect();
    let mut tree = BTreeMap::new();
    for i in 0..n {
        tree.insert(format!("key {}", i), i);
    }
    let mut total = both.left.len() + both.right.len() + words.iter().map(|w| w.len()).sum::<usize>();
    total += items.iter().map(|i| i.weight[3] as usize).sum::<usize>();
    total += rows.iter().map(|r| r[5] as usize).sum::<usize>();
    total += list.iter().map(|p| p.left[5] as usize + p.right.len()).sum::<usize>();
    total += made.iter().map(|p| p.left[5] as usize + p.right[7] as usize).sum::<usize>();
    total += tree.values().sum::<usize>() + grid.names.len() + grid.marks.len();
    println!("{} {}", total, grid.cells.iter().sum::<f64>());
}
