import { expect, it } from 'vitest';
import { createMessageEchoes, isKeptFrom, keptArguments } from '../../src/credentials/message-echoes.ts';

const TOKENS = [
  'first/8fK2mQz0PpL91',
  'second-xYvTtR4aB3dE',
  'third_9kL1mN3pQ5rS7',
  'fourth.tU9vW1xY2zA3',
  'fifth+4cD5eF6gH7iJ',
];

it('a token that was renewed and the one before it are both taken out', () => {
  const { learn, conceal } = createMessageEchoes([]);
  const said = { text: `${TOKENS[0]} and ${TOKENS[1]}` };
  expect(conceal(said)).toBe(said);
  learn(TOKENS[0]!);
  expect(conceal(said)).toEqual({ text: `[redacted] and ${TOKENS[1]}` });
  for (const token of TOKENS) learn(token);
  expect(conceal(said)).toEqual({ text: `${TOKENS[0]} and [redacted]` });
});

it('a token that goes out with every request does not push out the one before it', () => {
  const { learn, conceal } = createMessageEchoes([]);
  learn(TOKENS[0]!);
  for (let requests = 0; requests < 10; requests++) learn(TOKENS[1]!);
  expect(conceal({ text: TOKENS[0]! })).toEqual({ text: '[redacted]' });
});

it('what is given at the start stays secret beside tokens that come later', () => {
  const { learn, conceal } = createMessageEchoes([TOKENS[0]!]);
  for (const token of TOKENS.slice(1)) learn(token);
  const said = TOKENS.map((token) => ({ token }));
  expect(conceal(said)).toEqual(TOKENS.map(() => ({ token: '[redacted]' })));
});

it('a secret is taken out of a key too, where it stands nowhere else', () => {
  const { conceal } = createMessageEchoes([TOKENS[0]!]);
  expect(conceal({ tools: [{ accounts: { [TOKENS[0]!]: 3 } }] })).toEqual({
    tools: [{ accounts: { '[redacted]': 3 } }],
  });
});

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

it.each([
  ['the password', basic('ada', 'corr3ct-horse'), 'corr3ct-horse'],
  ['a key in the place of the user', basic('ghp_8fK2mQz0PpL91xYvTtR4', ''), 'ghp_8fK2mQz0PpL91xYvTtR4'],
  ['such a key beside a word', basic('ghp_8fK2mQz0PpL91xYvTtR4', 'x'), 'ghp_8fK2mQz0PpL91xYvTtR4'],
])('of basic authentication %s is taken out, too', (_, sent, secret) => {
  const { conceal } = createMessageEchoes([sent]);
  const pair = sent.slice('Basic '.length);
  expect(conceal({ text: `${secret} for ada, sent as ${pair}` })).toEqual({
    text: '[redacted] for ada, sent as [redacted]',
  });
});

it.each([
  ['ada', 'password'],
  ['postgres1', 'postgres1'],
  ['ada@example.com', 'x'],
])('the words of %s with %s stay: answers hold them for other reasons', (user, password) => {
  const said = { text: `${user} ${password}` };
  expect(createMessageEchoes([basic(user, password)]).conceal(said)).toBe(said);
});

it('what holds none of them is returned as it came, with __proto__ and numbers', () => {
  const { conceal } = createMessageEchoes(['secret-8fK2mQz0PpL91']);
  const plain = JSON.parse('{"__proto__":{"a":[1,"x",null]},"b":12}');
  expect(conceal(plain)).toBe(plain);
  const echoed = JSON.parse('{"__proto__":{"a":["secret-8fK2mQz0PpL91"]}}');
  expect(JSON.stringify(conceal(echoed))).toBe('{"__proto__":{"a":["[redacted]"]}}');
});

it.each([
  ['Authorization', 'Bearer abcdefgh', 'Bearer abcdefgh', true],
  ['X-API-Key', 'abcdefgh', 'abcdefgh', true],
  ['PAT', { env: 'PAT' }, 'ghp_8fK2mQz0PpL91xYvTtR4', true],
  ['GH', { env: 'GITHUB_TOKEN' }, 'abcdefgh', true],
  ['X-Tenant', { file: '/run/tenant' }, 'abcdefgh', true],
  ['REGION', { env: 'AWS_REGION' }, 'eu-central-1', false],
  ['ROOT', { env: 'HOME' }, '/home/ada/documents-2026', false],
  ['GOOGLE_CREDENTIALS', '/home/ada/oauth.keys.json', '/home/ada/oauth.keys.json', false],
  ['CREDENTIALS', { env: 'GOOGLE_CREDENTIALS' }, 'C:\\keys\\oauth.json', false],
  ['GOOGLE_CREDENTIALS', { file: '/run/name' }, '/home/ada/oauth.keys.json', true],
  ['API_KEY', '/8fK2mQz0PpL91xYvTtR4+json', '/8fK2mQz0PpL91xYvTtR4+json', true],
  ['X-Client', 'ghp_8fK2mQz0PpL91xYvTtR4', 'ghp_8fK2mQz0PpL91xYvTtR4', false],
] as const)('%s given as %j is taken out: %s, %s', (name, reference, value, expected) => {
  expect(isKeptFrom(name, reference, value)).toBe(expected);
});

it('of a program its options with a telling name count, and passwords in addresses that are no plain word', () => {
  const named = ['--api-key', 'abcdefgh', '--token=ijklmnop', '--folder', '/srv/data', '-y', 'server'];
  expect(keptArguments(named)).toEqual(['abcdefgh', 'ijklmnop']);
  const addresses = [
    'postgresql://ada:p%40ss4word@db/x',
    'postgres://postgres:postgres@db/x',
    'postgres://postgres1:postgres1@db/x',
    'https://a.example/',
  ];
  expect(keptArguments(addresses)).toEqual(['p@ss4word']);
});
