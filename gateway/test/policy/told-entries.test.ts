import { expect, it } from 'vitest';
import { factsOf } from '../../src/operations/index.ts';
import { isTold, type Teller } from '../../src/policy/told-entries.ts';
import { grants, sourceGrant } from './grants.ts';
import { operation } from './operations.ts';

const EVERYBODY: Teller[] = ['operator', 'admin', 'user'];
const facts = factsOf(operation());
const by = (changes: Parameters<typeof sourceGrant>[0]) =>
  grants({ sources: { pets: sourceGrant(changes) } });

it.each<[what: string, tellers: Teller[], Parameters<typeof isTold>[0], Parameters<typeof isTold>[1]]>([
  ['nothing', EVERYBODY, { facts }, grants()],
  ['the own choice', EVERYBODY, { facts }, by({ user: 'disabled' })],
  ['an account that is missing', EVERYBODY, { facts }, by({ connection: 'missing' })],
  ['what an admin allows', ['operator', 'admin'], { facts }, by({ admin: 'disabled' })],
  ...(['roles', 'permissions', 'feature'] as const).map(
    (name): [string, Teller[], Parameters<typeof isTold>[0], Parameters<typeof isTold>[1]] => [
      name,
      ['operator', 'admin'],
      { facts: factsOf(operation({ requirements: { [name]: ['x'] } })) },
      grants(),
    ],
  ),
  ['a changed definition', ['operator'], { facts, quarantined: true }, grants()],
  ['its danger', ['operator'], { facts: factsOf(operation({ access: 'dangerous' })) }, grants()],
  ['what is said of skills', ['operator'], { facts }, by({ skills: { enabled: true, roles: ['x'] } })],
  ['the credential', ['operator'], { facts }, grants({ principal: { sources: [] } })],
  [
    'the own choice and a changed definition',
    ['operator'],
    { facts, quarantined: true },
    by({ user: 'disabled' }),
  ],
])('what is hidden by %s is told to %j', (_, tellers, entry, held) => {
  expect(EVERYBODY.filter((teller) => isTold(entry, held, teller))).toEqual(tellers);
});
