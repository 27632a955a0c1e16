import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createEchoes } from '../../src/credentials/echoes.ts';
import type { EgressResponse } from '../../src/egress/egress.ts';
import { ToolcribError } from '../../src/errors.ts';
import type { Connection } from '../../src/operations/index.ts';
import { connection, request } from './connections.ts';

const TOKEN = 'gh_live/8fK2mQz0+PpL91"xYvTtR4ä';
const PLAIN = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const SHORT_RUNS = 'a-b!c3 #d"e\'@f7(g)&h\\\\iä';
const PETS = connection({});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const everyByte = (text: string, write: (hex: string) => string) =>
  [...Buffer.from(text)].map((byte) => write(byte.toString(16).padStart(2, '0'))).join('');

const percentEscaped = (text: string) =>
  [...text].map((c) => (/[A-Za-z0-9]/.test(c) ? c : everyByte(c, (hex) => `%${hex.toUpperCase()}`))).join('');
const HTML_ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
};

const ENCODINGS: readonly (readonly [string, (secret: string) => string])[] = [
  ['as it is', (secret) => secret],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['every byte percent-encoded', (secret) => everyByte(secret, (hex) => `%${hex}`)],
  ['in percent escapes of everything but letters', percentEscaped],
  [
    'the same in small letters and JSON',
    (secret) => JSON.stringify(percentEscaped(secret).replace(/%../g, (one) => one.toLowerCase())),
  ],
  ['in a form', (secret) => String(new URLSearchParams({ k: secret })).slice(2)],
  ['in HTML', (secret) => secret.replace(/[&"'<>]/g, (c) => HTML_ESCAPES[c]!)],
  ['as a JSON string', (secret) => JSON.stringify(secret)],
  ['as JSON in JSON', (secret) => JSON.stringify(JSON.stringify({ secret }))],
  [
    'in \\u escapes',
    (secret) => [...secret].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  ['in \\x escapes of its bytes', (secret) => everyByte(secret, (hex) => `\\x${hex}`)],
  [
    'in \\x escapes of its characters',
    (secret) => [...secret].map((c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  ],
  ['in HTML escapes', (secret) => [...secret].map((c) => `&#${c.charCodeAt(0)};`).join('')],
  [
    'in HTML escapes in hex',
    (secret) => [...secret].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join(''),
  ],
  ['in base64', base64],
  ['in base64 with a line break soon', (secret) => base64(secret).replace(/^.{5}/, '$&\n')],
  ['in base64 after a byte', (secret) => base64(`:${secret}`)],
  ['in base64 after two bytes', (secret) => base64(`u:${secret}`)],
  ['in a Basic pair', (secret) => `Basic ${base64(`user:${secret}`)}`],
  ['in base64url', (secret) => Buffer.from(secret).toString('base64url')],
  ['in base64 with line breaks', (secret) => base64(`${secret} and more`).replace(/(.{20})/g, '$1\n')],
  ['in hex', (secret) => Buffer.from(secret).toString('hex')],
  ['in capital hex', (secret) => Buffer.from(secret).toString('hex').toUpperCase()],
];

function conceal(body: string | Uint8Array, secret: string, headers: Record<string, string> = {}) {
  const echoes = createEchoes();
  const sent = request();
  echoes.remember(sent, [`Bearer ${secret}`, secret]);
  const answer: EgressResponse = { status: 200, url: sent.url, headers, body: Buffer.from(body as string) };
  const clean = echoes.concealAnswer(answer, sent, PETS);
  return { answer, clean, text: Buffer.from(clean.body).toString() };
}

describe.each([
  ['letters and digits', PLAIN],
  ['all kinds of characters', TOKEN],
  ['few letters in a row', SHORT_RUNS],
])('a secret of %s', (_, secret) => {
  it.each(ENCODINGS)('that comes back %s is masked, the rest stays', (__, encode) => {
    const { text } = conceal(`{"before":1,"echo":"x ${encode(secret)} y","after":2}`, secret);
    expect(text).not.toContain(encode(secret));
    expect(text).toContain('[redacted]');
    expect(text.startsWith('{"before":1,')).toBe(true);
    expect(text.endsWith(',"after":2}')).toBe(true);
  });
});

describe('an answer', () => {
  it('that repeats nothing is given on as it is, byte by byte', () => {
    const { answer, clean } = conceal('{"token":"another","text":"100% of %20 &#38; \\u0041"}', PLAIN, {
      etag: 'x',
    });
    expect(clean).toBe(answer);
  });

  it('stays JSON where the echo stood in a string', () => {
    const { text } = conceal(JSON.stringify({ headers: { authorization: `Bearer ${TOKEN}` }, n: 1 }), TOKEN);
    expect(JSON.parse(text)).toEqual({ headers: { authorization: 'Bearer [redacted]' }, n: 1 });
  });

  it('is looked through in its headers and address too', () => {
    const { clean } = conceal('{}', PLAIN, { link: `<https://api.test/?key=${PLAIN}&page=2>; rel="next"` });
    expect(clean.headers['link']).toBe('<https://api.test/?key=[redacted]&page=2>; rel="next"');
  });

  it('is looked through in its address', () => {
    const echoes = createEchoes();
    const sent = request();
    echoes.remember(sent, [PLAIN]);
    const answer = { status: 200, url: `https://api.test/?key=${PLAIN}`, headers: {}, body: Buffer.from('') };
    expect(echoes.concealAnswer(answer, sent, PETS).url).toBe('https://api.test/?key=[redacted]');
  });

  it.each(['abc12f', 'f-1-2-3'])('that is nothing but the secret %s is masked', (secret) => {
    expect(conceal(secret, secret).text).toBe('[redacted]');
  });

  it('of bytes keeps its length', () => {
    const image = Buffer.concat([
      Buffer.from([0x89, 0xff, 0xfe, 0]),
      Buffer.from(PLAIN),
      Buffer.from([0, 0xff]),
    ]);
    const { clean } = conceal(image, PLAIN);
    expect(clean.body).toHaveLength(image.length);
    expect(Buffer.from(clean.body).includes(PLAIN)).toBe(false);
    expect([...clean.body.slice(0, 4)]).toEqual([0x89, 0xff, 0xfe, 0]);
  });

  it('of other bytes is not touched', () => {
    const { answer, clean } = conceal(gzipSync('hello'), PLAIN);
    expect(clean).toBe(answer);
  });

  it('however long, loses every plain echo, and encoded ones with what is around them untouched', () => {
    const row = JSON.stringify({ text: 'Lorem ipsum dolor sit amet. '.repeat(100) });
    const escaped = everyByte(TOKEN, (hex) => `%${hex}`);
    const body = [row, `"${TOKEN}"`, row, base64(`u:${TOKEN}`), row, escaped].join('\n').repeat(30);
    const { text } = conceal(body, TOKEN);
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(base64(`u:${TOKEN}`));
    expect(text).not.toContain(escaped);
    expect(text.split(row)).toHaveLength(91);
  });

  it.each([
    ['twice percent-encoded', encodeURIComponent(encodeURIComponent(TOKEN))],
    ['in capital percent escapes', everyByte(TOKEN, (hex) => `%${hex.toUpperCase()}`)],
  ])('however long, loses an echo %s as a whole', (_, echo) => {
    const filler = 'Lorem ipsum dolor sit amet. '.repeat(3000);
    const { text } = conceal(`${filler}<${echo}>${filler}`, TOKEN);
    expect(text).toBe(`${filler}<[redacted]>${filler}`);
  });

  it('however long, is given on without its plain echoes, however many', () => {
    const filler = 'Lorem ipsum dolor sit amet. '.repeat(30);
    const { text } = conceal(`${filler}${PLAIN}`.repeat(150), PLAIN);
    expect(text).toBe(`${filler}[redacted]`.repeat(150));
  });

  it('that is nothing but encoded echoes is withheld', () => {
    const { text } = conceal(`${base64(PLAIN)} and `.repeat(5000), PLAIN);
    expect(text).toMatch(/^The answer is withheld/);
  });

  it('a secret of a few letters is none: answers would become unreadable', () => {
    expect(conceal('{"name":"admin"}', 'admin').text).toBe('{"name":"admin"}');
  });
});

it.each<[string, Partial<Connection>]>([
  ['headers', { headers: { 'X-Api-Key': 'fixed-key-4711', 'X-Team': 'blue-team-4711' } }],
  ['the base URL', { baseUrl: 'https://api.test/?token=fixed%2Dkey%2D4711&team=blue-team-4711' }],
])('keys that the configuration puts into %s are hidden too', (_where, more) => {
  const echoes = createEchoes();
  const shop = connection({}, undefined, more);
  const sent = request();
  const answer = {
    status: 200,
    url: sent.url,
    headers: {},
    body: Buffer.from('fixed-key-4711 blue-team-4711'),
  };
  expect(Buffer.from(echoes.concealAnswer(answer, sent, shop).body).toString()).toBe(
    '[redacted] blue-team-4711',
  );
});

it('an error keeps its code and loses the secret, in message, details and cause', () => {
  const echoes = createEchoes();
  const sent = request();
  echoes.remember(sent, [PLAIN]);
  const thrown = new ToolcribError('upstream_failed', `No answer from /x?key=${PLAIN}.`, {
    details: { url: `https://x/?k=${PLAIN}` },
    cause: new Error(PLAIN),
  });
  const clean = echoes.concealError(thrown, sent, PETS) as ToolcribError;
  expect(clean).toBeInstanceOf(ToolcribError);
  expect(clean.code).toBe('upstream_failed');
  expect(clean.message).toBe('No answer from /x?key=[redacted].');
  expect(JSON.stringify([clean.details, String(clean.cause), clean.stack])).not.toContain(PLAIN);
  const foreign = new Error('x');
  expect(echoes.concealError(foreign, sent, PETS)).toBe(foreign);
});
