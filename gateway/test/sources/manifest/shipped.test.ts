import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { HttpInvocation, Operation } from '../../../src/operations/index.ts';
import { describeManifestValue, getManifest, manifests } from '../../../src/sources/manifest/index.ts';
import { lintManifest } from '../../../src/sources/manifest/lint/lint-manifest.ts';
import { partsOf } from '../../../src/sources/manifest/parameters.ts';
import { readManifest } from '../../../src/sources/manifest/read-manifest.ts';
import { SHIPPED_PROVIDERS, shippedManifest } from '../../../src/sources/manifest/shipped.ts';

const described = (provider: string) => describeManifestValue(getManifest(provider)!, provider);
const operation = (provider: string, id: string): Operation =>
  described(provider).operations.find((one) => one.id === id)!;
const invocation = (provider: string, id: string) => operation(provider, id).invocation as HttpInvocation;
const idsWith = (provider: string, access: string) =>
  getManifest(provider)!.operations.flatMap((one) => (one.access === access ? [one.id] : []));

describe.each(SHIPPED_PROVIDERS)('the shipped manifest %s', (provider) => {
  it('has nothing that the linter would correct', async () => {
    const file = shippedManifest(provider);
    const findings = lintManifest(await readManifest(readFileSync(file, 'utf8'), file));
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('tells the model in a few sentences what each operation does', () => {
    for (const { id, description } of getManifest(provider)!.operations) {
      expect(description.length, id).toBeLessThan(600);
    }
  });
});

describe('Greenhouse', () => {
  it('has 31 operations: 16 read, 13 write, 2 dangerous', () => {
    expect(idsWith('greenhouse', 'read')).toHaveLength(16);
    expect(idsWith('greenhouse', 'write')).toHaveLength(13);
    expect(idsWith('greenhouse', 'delete')).toEqual([]);
    expect(idsWith('greenhouse', 'dangerous')).toEqual(['delete_candidate', 'anonymize_candidate']);
  });

  it('ends on 2026-08-31, and says what comes after it', () => {
    const { provider, diagnostics, operations } = described('greenhouse');
    expect(provider!.deprecated).toEqual({ removal: '2026-08-31', replacement: 'greenhouse-v3' });
    expect(diagnostics).toMatchObject([{ code: 'provider-deprecated', severity: 'warning' }]);
    expect(operations.every(({ deprecated }) => deprecated)).toBe(true);
  });

  it('asks for the acting user in every change, and in no read', () => {
    for (const { access, invocation: one, id } of described('greenhouse').operations) {
      const { actingUser, bindings } = one as HttpInvocation;
      const injected = bindings.filter(({ inject }) => inject === 'actingUser');
      expect(actingUser, id).toBe(access === 'read' ? undefined : 'required');
      expect(injected, id).toEqual(
        access === 'read' ? [] : [{ inject: 'actingUser', in: 'header', name: 'On-Behalf-Of' }],
      );
    }
  });

  it('names the note that is called body', () => {
    const { bindings } = invocation('greenhouse', 'add_candidate_note');
    expect(bindings).toContainEqual({
      arg: 'body',
      in: 'body',
      name: 'body',
      contentType: 'application/json',
    });
  });
});

describe('Zoho Recruit', () => {
  it('has 27 operations: 16 read, 10 write, 1 dangerous', () => {
    expect(idsWith('zoho-recruit', 'read')).toHaveLength(16);
    expect(idsWith('zoho-recruit', 'write')).toHaveLength(10);
    expect(idsWith('zoho-recruit', 'dangerous')).toEqual(['delete_candidate']);
  });

  it('reads by POST where the service does', () => {
    expect(operation('zoho-recruit', 'coql_query')).toMatchObject({ access: 'read' });
    expect(operation('zoho-recruit', 'bulk_read')).toMatchObject({ access: 'read' });
  });

  it('knows the data centres and never sends a token of one to another by default', () => {
    const { regions, baseUrl } = described('zoho-recruit').provider!;
    expect(regions['us']!.baseUrl).toBe(baseUrl);
    expect(Object.keys(regions)).toEqual(['us', 'eu', 'cn', 'in', 'au', 'jp', 'ca', 'sa']);
    expect(new Set(Object.values(regions).map((region) => region.baseUrl)).size).toBe(8);
  });

  it('wraps records, and only records', () => {
    const wrapped = getManifest('zoho-recruit')!.operations.filter(({ meta }) => meta?.wrapInData);
    expect(wrapped.map(({ id }) => id)).toEqual([
      'create_candidate',
      'update_candidate',
      'create_job_opening',
      'update_job_opening',
      'associate_candidate_to_job',
      'update_candidate_status',
      'create_interview',
      'update_interview',
      'add_candidate_note',
    ]);
  });

  it('closes mass deletion wherever it stands', () => {
    expect(described('zoho-recruit').provider!.blocklist).toContain('/**/__schedule_mass_delete');
  });

  it('searches by exactly one thing', () => {
    expect(invocation('zoho-recruit', 'search_candidates').rules).toEqual([
      { exactlyOne: ['criteria', 'email', 'phone', 'word'] },
    ]);
  });
});

describe('Lever', () => {
  it('has 47 operations: 27 read, 15 write, 3 delete, 2 dangerous', () => {
    expect(idsWith('lever', 'read')).toHaveLength(27);
    expect(idsWith('lever', 'write')).toHaveLength(15);
    expect(idsWith('lever', 'delete')).toEqual(['delete_note', 'delete_interview', 'delete_file']);
    expect(idsWith('lever', 'dangerous')).toEqual(['delete_feedback', 'apply_to_posting']);
  });

  it('never asks the model whom to act for', () => {
    for (const one of described('lever').operations) {
      expect(Object.keys(one.input['properties'] as object), one.id).not.toContain('perform_as');
    }
    expect(invocation('lever', 'create_opportunity')).toMatchObject({ actingUser: 'required' });
    expect(invocation('lever', 'create_note').actingUser).toBeUndefined();
    expect(invocation('lever', 'create_note').bindings).toContainEqual({
      inject: 'actingUser',
      in: 'query',
      name: 'perform_as',
    });
  });

  it('takes a token or an API key', () => {
    expect(invocation('lever', 'list_tags').security).toEqual([{ bearer: [] }, { basic: [] }]);
  });

  it('downloads bytes and uploads files', () => {
    expect(invocation('lever', 'download_file').accept).toEqual(['*/*']);
    expect(invocation('lever', 'upload_file').body).toMatchObject({
      contentType: 'multipart/form-data',
      encoding: { file: { file: true } },
    });
  });

  it('takes null as the reason that makes an opportunity active again', () => {
    const { input } = operation('lever', 'update_opportunity_archived');
    expect(input).toMatchObject({ properties: { reason: { type: ['string', 'null'] } } });
    expect(input['required']).toContain('reason');
  });
});

interface FactParameter {
  readonly in?: string;
  readonly required?: boolean;
}

interface FactOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly access: string;
  readonly params?: Readonly<Record<string, FactParameter>>;
  readonly body?: Readonly<Record<string, FactParameter>> | 'none';
}

interface Facts {
  readonly baseUrl: string;
  readonly blocklist: readonly string[];
  readonly regions: Readonly<Record<string, { baseUrl: string }>>;
  readonly operations: readonly FactOperation[];
}

const folder = join(import.meta.dirname, '../../../../../shared/facts');

/** Where the provider's documentation differs from the form that the fact sheet lists, the documentation holds. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  greenhouse: ['anonymize_candidate'],
  'zoho-recruit': ['associate_candidate_to_job', 'update_candidate_status'],
  lever: [],
};

describe.skipIf(!existsSync(folder))('against the fact sheets', () => {
  const factsOf = (provider: string) =>
    parse(readFileSync(join(folder, `${provider}.yaml`), 'utf8')) as Facts;

  it.each(SHIPPED_PROVIDERS)('%s has the operations of the sheet, in their order', (provider) => {
    const facts = factsOf(provider);
    const { operations, baseUrl, blocklist, regions } = manifests[provider]!;
    expect(operations.map(({ id }) => id)).toEqual(facts.operations.map(({ id }) => id));
    expect(baseUrl).toBe(facts.baseUrl);
    for (const entry of facts.blocklist) {
      expect(
        (blocklist ?? []).some((own) => own.endsWith(entry)),
        entry,
      ).toBe(true);
    }
    for (const [name, region] of Object.entries(facts.regions)) {
      expect(regions?.[name]?.baseUrl).toBe(region.baseUrl);
    }
  });

  const rows = ['greenhouse', 'zoho-recruit', 'lever'].flatMap((provider) =>
    existsSync(folder) ? factsOf(provider).operations.map((fact) => ({ provider, ...fact })) : [],
  );
  it.each(rows)('$provider $id', ({ provider, id, method, access, path, params = {}, body }) => {
    const manifest = manifests[provider]!;
    const own = manifest.operations.find((one) => one.id === id)!;
    expect(own).toMatchObject({ method, access });
    if (DOCUMENTED[provider]!.includes(id)) return;
    expect(own.path).toBe(path);
    const parts = partsOf(own, manifest);
    const acting = manifest.onBehalfOf?.in === 'token' ? '' : manifest.onBehalfOf?.name;
    for (const [name, fact] of Object.entries(params)) {
      if (name === acting) continue;
      const part = parts.find((one) => one.name === name && one.place === fact.in);
      expect(part, name).toBeDefined();
      const alternative = own.exactlyOne?.flat().includes(name) ?? false;
      if (fact.required && !alternative) expect(part!.definition.required, name).toBe(true);
    }
    const fields = typeof body === 'object' ? Object.entries(body) : [];
    const ownFields = parts.filter(({ place }) => place === 'body');
    expect(ownFields.map(({ name }) => name)).toEqual(fields.map(([name]) => name));
    for (const [index, [name, fact]] of fields.entries()) {
      if (fact.required) expect(ownFields[index]!.definition.required, name).toBe(true);
    }
  });
});
