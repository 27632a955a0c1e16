import { expect, it } from 'vitest';
import { readableOutputs } from '../../../src/assembly/access/readable-outputs.ts';
import type { CatalogEntry } from '../../../src/catalog/catalog.ts';
import type { Requirements } from '../../../src/operations/index.ts';
import { grants, sourceGrant } from '../../policy/grants.ts';
import { operation } from '../../policy/operations.ts';

const entry = (id: string, access: 'read' | 'write', requirements: Requirements = {}) =>
  ({
    operation: `pets/${id}`,
    facts: operation({ source: 'pets', access, requirements }),
  }) as unknown as CatalogEntry;
const entries = [entry('list', 'read'), entry('add', 'write'), entry('pay', 'read', { roles: ['owner'] })];

const readsOf = (given: Parameters<typeof grants>[0]) => {
  const readable = readableOutputs({ entries }, grants(given));
  return ['pets/list', 'pets/add', 'pets/pay', 'pets/gone', 'other/any'].filter(readable);
};

it.each<[string, Parameters<typeof grants>[0], readonly string[]]>([
  ['an owner', { sources: { pets: sourceGrant({}) }, roles: ['owner'] }, ['list', 'add', 'pay', 'gone']],
  ['who lost the role', { sources: { pets: sourceGrant({}) } }, ['list', 'add', 'gone']],
  ['who reads only', { sources: { pets: sourceGrant({ user: 'read-only' }) } }, ['list', 'add', 'gone']],
  ['who lost the source', { sources: { pets: sourceGrant({ user: 'disabled' }) } }, []],
  ['whose account is gone', { sources: { pets: sourceGrant({ connection: 'missing' }) } }, []],
])(
  '%s reads what may be called now, and of operations that are gone what may be read',
  (_who, given, ids) => {
    expect(readsOf(given)).toEqual(ids.map((id) => `pets/${id}`));
  },
);
