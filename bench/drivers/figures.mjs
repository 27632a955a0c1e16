import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function median(values) {
  return quantile(values, 0.5);
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

/** Prints rows as a table and keeps them with the circumstances in `results/NAME.json`. */
export function report(name, rows, facts = {}) {
  console.table(rows);
  for (const [key, value] of Object.entries(facts))
    console.log(`${key}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  keep(name, rows, facts);
}

/** The same without printing. */
export function keep(name, rows, facts = {}) {
  const folder = fileURLToPath(new URL('../results', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpus: cpus().length,
    cpu: cpus()[0]?.model,
  };
  const file = join(folder, `${name}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ name, measured: new Date().toISOString(), machine, facts, rows }, null, 2)}\n`,
  );
  console.log(`written to bench/results/${name}.json`);
}

export const rounded = (value, digits = 1) => Number(value.toFixed(digits));
