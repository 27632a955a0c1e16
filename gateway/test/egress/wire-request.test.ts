import { expect, it } from 'vitest';
import { wireRequest } from '../../src/egress/wire-request.ts';
import { VERSION } from '../../src/version.ts';

const url = new URL('https://api.example/');
const request = (changes: object) =>
  wireRequest({ method: 'GET', url: url.href, headers: [], ...changes }, url);
const invalid = expect.objectContaining({ kind: 'request_invalid', sent: 'none' });

it.each(['a\r\nX-B: b', 'a\nb', 'a\rb', 'a\0b', 'a\x7fb', 'a\u{100}b', '\n'])(
  'the value %j is refused here, whatever sends it later',
  (value) => expect(() => request({ headers: [['X-A', value]] })).toThrow(invalid),
);

it.each(['', 'GET /x', 'GET\r\nX:', 'CONNECT', 'connect'])('the method %j is refused here', (method) =>
  expect(() => request({ method })).toThrow(invalid),
);

it.each(['', 'X A', 'X-A:', 'X\r\nY', 'ü'])('the name %j is refused here', (name) =>
  expect(() => request({ headers: [[name, 'b']] })).toThrow(invalid),
);

it.each([
  'Host',
  'content-length',
  'Transfer-Encoding',
  'connection',
  'TE',
  'Upgrade',
  'Expect',
  'Keep-Alive',
])('the header %s of the connection is refused here', (name) =>
  expect(() => request({ headers: [[name, '1']] })).toThrow(invalid),
);

it('a client certificate is for https alone', () => {
  const tls = { id: 'client', context: {} };
  expect(request({ tls }).tls).toBe(tls);
  const plain = { method: 'GET', url: 'http://api.example/', headers: [], tls } as never;
  expect(() => wireRequest(plain, new URL('http://api.example/'))).toThrow(invalid);
});

it('what may stand in a value goes out as it is', () => {
  const value = 'a\tb ~ \x80\xff';
  expect(request({ headers: [['X-A', value]] }).headers).toContain(value);
});

it('names program and version (RFC 9110 §10.1.5), unless the request names another', () => {
  expect(request({}).headers.slice(-2)).toEqual(['user-agent', `toolcrib/${VERSION}`]);
  const own = request({ headers: [['User-Agent', 'agent/1']] }).headers;
  expect(own.filter((text) => /agent/i.test(text))).toEqual(['User-Agent', 'agent/1']);
});
