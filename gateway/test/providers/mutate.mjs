#!/usr/bin/env node
// Changes each shipped operation in every way that could go wrong, one at a time, and compares the request that
// follows with what the provider documents. Exit code 1 when a change goes unnoticed.
import { readFile } from 'node:fs/promises';
import { isToolcribError } from '../../src/errors.ts';
import { readManifest } from '../../src/sources/manifest/read-manifest.ts';
import { shippedManifest } from '../../src/sources/manifest/shipped.ts';
import { mutationsOf } from './mutations.ts';
import { startVerdicts } from './operation-verdict.ts';
import { PROVIDERS } from './shipped-providers.ts';

const started = performance.now();
const verdicts = await startVerdicts();
const counts = {};
const survivors = [];
const faults = [];

/** Differences, or the refusal that the change runs into. */
const noticed = async (provider, manifest, id) => {
  try {
    return await verdicts.verdict(provider, manifest, id);
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    return [`refused: ${error.message}`];
  }
};

for (const provider of PROVIDERS) {
  const file = shippedManifest(provider.manifest);
  const { manifest } = await readManifest(await readFile(file, 'utf8'), file);
  for (const operation of manifest.operations) {
    const name = `${provider.manifest} ${operation.id}`;
    const differences = await noticed(provider, manifest, operation.id);
    for (const difference of differences) faults.push(`${name}: ${difference}`);
    for (const { kind, change, manifest: mutated } of mutationsOf(manifest, operation)) {
      counts[kind] = (counts[kind] ?? 0) + 1;
      const found = await noticed(provider, mutated, operation.id);
      if (found.length === 0) survivors.push(`${name}: ${kind} ${change}`);
    }
  }
}
await verdicts.close();

const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
const kinds = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${total} mutations (${kinds.join(', ')}), ${survivors.length} survivors, ${seconds} s`);
for (const fault of faults) console.log(`unchanged, yet not as documented: ${fault}`);
for (const survivor of survivors) console.log(`survived: ${survivor}`);
process.exitCode = survivors.length + faults.length === 0 ? 0 : 1;
