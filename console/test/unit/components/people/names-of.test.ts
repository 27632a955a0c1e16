import { expect, it } from 'vitest';
import { namesOf } from '../../../../src/components/people/names-of.ts';

it('a name that several people have stands with the id of each', () => {
  const people = [
    { id: 'u1', name: 'Ana Alder' },
    { id: 'u2', name: 'Ben Birch' },
    { id: 'u3', name: 'Ana Alder' },
  ];
  expect([...namesOf(people).values()]).toEqual(['Ana Alder (u1)', 'Ben Birch', 'Ana Alder (u3)']);
});

it('a name that turns the writing says so, and turns nothing beside it', () => {
  expect([...namesOf([{ id: 'u1', name: 'Ana\u202e' }]).values()]).toEqual(['Ana\\u202e']);
});
