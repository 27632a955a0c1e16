import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeManifestValue } from '../../src/sources/manifest/describe.ts';
import type { ProviderManifest, ProviderOperation } from '../../src/sources/manifest/manifest.ts';
import { readManifest } from '../../src/sources/manifest/read-manifest.ts';
import { shippedManifest } from '../../src/sources/manifest/shipped.ts';

const FACTS = fileURLToPath(new URL('../../../../shared/facts/greenhouse-v3.yaml', import.meta.url));

interface FactParameter {
  readonly in: string;
  readonly type: string;
  readonly required?: boolean;
  readonly enum?: readonly string[];
  readonly csv?: boolean;
  readonly max?: number;
}

interface Fact {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly access: string;
  readonly verified: boolean;
  readonly bodyVerified?: boolean;
  readonly paged?: boolean;
  readonly params?: Readonly<Record<string, FactParameter>>;
  readonly body?: 'none' | Readonly<Record<string, { readonly required?: unknown }>>;
}

async function shipped(): Promise<ProviderManifest> {
  const file = shippedManifest('greenhouse-v3');
  const { manifest, diagnostics, skipped } = await readManifest(await readFile(file, 'utf8'), file);
  expect([diagnostics, skipped]).toEqual([[], []]);
  return manifest;
}

describe('the manifest of Harvest v3', () => {
  it('keeps what is below a blocklisted path as data and offers none of it', async () => {
    const manifest = await shipped();
    const { operations, skipped } = describeManifestValue(manifest, 'greenhouse-v3');
    expect(manifest.operations).toHaveLength(119);
    expect(operations).toHaveLength(94);
    expect(skipped).toHaveLength(25);
    for (const { reason } of skipped) expect(reason).toMatch(/^blocked: /);
  });

  it('says in the description of each tool that is not verified that it is not', async () => {
    const { operations } = describeManifestValue(await shipped(), 'greenhouse-v3');
    const unsure = operations.filter(({ description }) => /not checked/i.test(description));
    expect(unsure.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['list_job_boards', 'create_scorecard', 'create_tag', 'create_interview']),
    );
    expect(unsure.length).toBeLessThan(operations.length / 2);
  });

  it('has the acting user in the token, and asks for one wherever something is written', async () => {
    const manifest = await shipped();
    expect(manifest.onBehalfOf).toEqual({ in: 'token' });
    for (const { id, access, meta } of manifest.operations) {
      expect([id, meta?.requiresOnBehalfOf === true]).toEqual([id, access !== 'read']);
    }
  });
});

describe.skipIf(!existsSync(FACTS))('the manifest of Harvest v3 and its fact sheet', () => {
  const facts = async (): Promise<{ operations: readonly Fact[]; blocklist: readonly string[] }> =>
    parse(await readFile(FACTS, 'utf8'));

  it('agree on every operation, its path, its access and what is known of it', async () => {
    const { operations, blocklist } = await facts();
    const manifest = await shipped();
    expect(manifest.blocklist).toEqual(blocklist);
    expect(manifest.operations.map(inShort)).toEqual(
      operations.map(({ id, method, path, access, paged = false }) => ({ id, method, path, access, paged })),
    );
    for (const [index, { id, verified, bodyVerified = true }] of operations.entries()) {
      if (verified && bodyVerified) continue;
      expect([id, manifest.operations[index]!.verified]).toEqual([id, false]);
    }
  });

  it('agree on every parameter, its type and its values', async () => {
    const { operations } = await facts();
    const manifest = await shipped();
    for (const [index, { id, params = {} }] of operations.entries()) {
      const declared = parametersOf(manifest.operations[index]!, manifest);
      expect([id, Object.keys(declared).sort()]).toEqual([id, Object.keys(params).sort()]);
      for (const [name, fact] of Object.entries(params)) {
        const { type, enum: values, style, maxItems, pattern } = declared[name]!;
        expect([id, name, type]).toEqual([id, name, fact.type === 'date filter' ? 'string' : fact.type]);
        expect([id, name, values]).toEqual([id, name, fact.enum]);
        expect([id, name, style === 'comma']).toEqual([id, name, fact.csv === true]);
        expect([id, name, maxItems]).toEqual([id, name, fact.max]);
        expect([id, name, pattern !== undefined]).toEqual([id, name, fact.type === 'date filter']);
      }
    }
  });

  it('agree on every member of a body that is known, and on what is needed', async () => {
    const { operations } = await facts();
    const manifest = await shipped();
    for (const [index, { id, body }] of operations.entries()) {
      if (typeof body !== 'object') continue;
      const declared = manifest.operations[index]!.body ?? {};
      expect([id, Object.keys(declared).sort()]).toEqual([id, Object.keys(body).sort()]);
      for (const [name, { required }] of Object.entries(body)) {
        expect([id, name, declared[name]!.required === true]).toEqual([id, name, required === true]);
      }
    }
  });
});

function inShort({ id, method, path, access, paginated = false }: ProviderOperation) {
  return { id, method, path, access, paged: paginated };
}

/** Its own parameters and the shared ones that it names, without those of paging. */
function parametersOf(operation: ProviderOperation, manifest: ProviderManifest) {
  const shared = (operation.parameters ?? []).map((name) => [name, manifest.parameters![name]!] as const);
  return { ...operation.params, ...Object.fromEntries(shared) };
}
