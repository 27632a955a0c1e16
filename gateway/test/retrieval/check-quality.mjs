#!/usr/bin/env node
// Search quality on the retrieval check beside this repository (../shared/check/retrieval), against stored floors.
// node gateway/test/retrieval/check-quality.mjs   exit 0: above all floors, or the check is not there; 1: below one
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Points of Recall@5 and NDCG@5 above flat BM25, mean of the corpora. Raise them when search gets better. */
const FLOORS = {
  isolated: { 'R@5': 14.5, 'NDCG@5': 14 },
  distractors: { 'R@5': 14.5, 'NDCG@5': 13.5 },
  pool: { 'R@5': 11.8, 'NDCG@5': 11.4 },
};
const LIMIT_SECONDS = 230;

const script = fileURLToPath(new URL('../../../../shared/check/retrieval/eval.mjs', import.meta.url));
const ranker = fileURLToPath(new URL('./quality-ranker.mjs', import.meta.url));

if (!existsSync(script)) {
  console.log('Skipped: ../shared/check/retrieval is not there.');
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-search-quality-'));
let failures = [];
try {
  failures = belowFloors(measured(join(folder, 'report.json')));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`Below its floor: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);

function measured(report) {
  const options = ['--ranker', ranker, '--no-perf', '--json', report, '--timeout', String(LIMIT_SECONDS)];
  const { status } = spawnSync(process.execPath, [script, ...options], { stdio: 'inherit' });
  if (status !== 0) {
    console.error('The retrieval check itself failed.');
    process.exit(1);
  }
  return JSON.parse(readFileSync(report, 'utf8')).settings;
}

/** Means under their floors, and corpora that are certainly worse than flat BM25. */
function belowFloors(settings) {
  const means = Object.entries(FLOORS).flatMap(([setting, floors]) =>
    Object.entries(floors).flatMap(([metric, floor]) => {
      const points = 100 * settings[setting].mean[metric].difference;
      return points >= floor ? [] : [`${setting} ${metric}: ${points.toFixed(1)} of ${floor} points`];
    }),
  );
  const corpora = Object.keys(FLOORS).flatMap((setting) =>
    Object.entries(settings[setting].corpora)
      .filter(([, corpus]) => corpus['R@5'].interval[1] < 0 || corpus['NDCG@5'].interval[1] < 0)
      .map(([name]) => `${setting} ${name}: worse than flat BM25`),
  );
  return [...means, ...corpora];
}
