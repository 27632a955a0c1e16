import { expect, it } from 'vitest';
import { endpointUrl } from '../../src/credentials/endpoint-url.ts';

const BASE = 'https://api.example.org/v1/pets';
const address = (url: string, relativeTo: string | undefined = BASE) =>
  endpointUrl(url, relativeTo, 'token endpoint', 'a.tokenUrl');

it.each([
  ['https://id.example.org/token', 'https://id.example.org/token'],
  ['/token', 'https://api.example.org/token'],
  ['https://id.example.org/token?a=1#part', 'https://id.example.org/token?a=1'],
])('%s is asked as %s', (url, expected) => {
  expect(address(url)).toBe(expected);
});

it.each(['file:///etc/passwd', 'httpsx://id.example.org/', 'data:,x', 'https://'])('%s is refused', (url) => {
  expect(() => address(url)).toThrow('set a.tokenUrl');
});

it('a relative address is none where nothing is to be relative to', () => {
  expect(() => endpointUrl('/token', undefined, 'token endpoint', 'a.tokenUrl')).toThrow('set a.tokenUrl');
});
