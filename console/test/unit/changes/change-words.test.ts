import { expect, it } from 'vitest';
import type { People } from '../../../src/components/people/use-people.ts';
import { aboutOf, changeWords } from '../../../src/pages/changes/change-words.ts';

const names = new Map([['user_1', 'Ann Alder']]);
const people: People = {
  names,
  sorted: [],
  nameOf: (id) => names.get(id) ?? id,
  fullNameOf: (id) => id,
  idOf: (text) => text,
  organisationOf: (id) => (id === 'org_1' ? 'Acme' : id),
};
const known = {
  ofAll: false,
  keys: [{ id: 'key_1', user: 'user_1', name: 'laptop' }],
  accounts: [{ id: 'connection_1', name: 'main', source: 'greenhouse' }],
};
const said = (type: Parameters<typeof aboutOf>[0]['type'], subject: string, change: string) => {
  const event = { type, organisation: 'org_1', subject, change };
  return `${aboutOf(event, people, known)}: ${changeWords(event, people)}`;
};

it('names people, keys and accounts, and by their ids those that are gone', () => {
  expect(said('user-changed', 'user_1', 'changed roles (admin)')).toBe('Ann Alder: changed roles (admin)');
  expect(said('user-changed', 'user_2', 'removed')).toBe('user_2: removed');
  expect(said('key-changed', 'key_1', 'created for user_1, at most read')).toBe(
    'Ann Alder, key laptop: created for Ann Alder, at most read',
  );
  expect(said('key-changed', 'key_2', 'revoked')).toBe('key key_2: revoked');
  expect(said('connection-changed', 'connection_1', 'user user_1 no longer mapped')).toBe(
    'account main of greenhouse: user Ann Alder no longer mapped',
  );
  expect(said('connection-changed', 'connection_2', 'created for greenhouse')).toBe(
    'account connection_2: created for greenhouse',
  );
  expect(said('access-changed', 'org_1', 'level ats: read-only')).toBe(
    'the organisation: level ats: read-only',
  );
  expect(said('access-changed', 'support', 'role support set')).toBe('role support: role support set');
  expect(said('access-changed', 'user_1', 'level source:desk removed')).toBe(
    'Ann Alder: level source:desk removed',
  );
});

it('says to whoever sees those of every organisation of which one they are', () => {
  const about = (type: 'organisation-changed' | 'access-changed', subject: string, change: string) =>
    aboutOf({ type, organisation: 'org_1', subject, change }, people, { ...known, ofAll: true });
  expect(about('organisation-changed', 'org_1', 'created')).toBe('the organisation Acme');
  expect(about('access-changed', 'org_1', 'level ats: read-only')).toBe('the organisation Acme');
  expect(about('access-changed', 'support', 'role support set')).toBe('role support of Acme');
  expect(about('access-changed', 'user_1', 'level source:desk removed')).toBe('Ann Alder');
});
