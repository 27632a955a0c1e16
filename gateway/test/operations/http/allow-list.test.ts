import { describe, expect, it } from 'vitest';
import { parseAllowList } from '../../../src/operations/http/allow-list.ts';

describe('an entry permits what it names and nothing else', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1/', true],
    ['127.0.0.1', 'https://127.0.0.1:9999/', true],
    ['127.0.0.1', 'http://127.0.0.2/', false],
    ['127.0.0.1', 'http://localhost/', false],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/', true],
    ['127.0.0.1:3000', 'https://127.0.0.1:3000/', true],
    ['127.0.0.1:3000', 'http://127.0.0.1:3001/', false],
    ['127.0.0.1:80', 'http://127.0.0.1/', true],
    ['127.0.0.1:80', 'https://127.0.0.1/', false],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/', true],
    ['http://127.0.0.1:3000/v1', 'http://127.0.0.1:3000/other', true],
    ['http://127.0.0.1:3000', 'https://127.0.0.1:3000/', false],
    ['http://127.0.0.1', 'http://127.0.0.1:8080/', false],
    ['LOCALHOST', 'http://localhost./', true],
    ['localhost', 'http://localhost.example.com/', false],
    ['example.internal', 'http://a.example.internal/', false],
    ['::1', 'http://[0:0::1]:8080/', true],
    ['[::1]:8080', 'http://[::1]:8080/', true],
    ['[::1]:8080', 'http://[::1]:8081/', false],
    ['0x7f.1', 'http://127.0.0.1/', true],
    [' localhost ', 'http://localhost/', true],
  ])('%s, %s: %s', (entry, url, permitted) => {
    expect(parseAllowList([entry]).permits(new URL(url))).toBe(permitted);
  });

  it.each([
    '',
    '*',
    '*.internal',
    '10.0.0.0/8',
    'ftp://host',
    'http://user@host',
    'http://:password@host',
    'host:99999',
    'a b',
    'host/path',
  ])('refuses to start with "%s"', (entry) => expect(() => parseAllowList([entry])).toThrow(/egress\.allow/));
});

it('names an address in whatever notation it is given', () => {
  const { names } = parseAllowList(['fd00:0ec2::254', 'metadata.internal']);
  expect(names('fd00:ec2:0::254')).toBe(true);
  expect(names('fd00:ec2::255')).toBe(false);
  expect(names('169.254.169.254')).toBe(false);
});
