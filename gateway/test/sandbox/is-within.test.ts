import { expect, test } from 'vitest';
import { isWithin } from '../../src/sandbox/index.ts';

test.each([
  ['/usr/bin/node', '/usr', '/', true],
  ['/usr', '/usr', '/', true],
  ['/usr/bin', '/', '/', true],
  ['/usr/bin', '/usr/', '/', true],
  ['/usrlocal/bin', '/usr', '/', false],
  ['C:\\state\\poems\\count.mjs', 'C:\\state\\poems', '\\', true],
  ['C:\\state\\poems2\\count.mjs', 'C:\\state\\poems', '\\', false],
  ['C:\\state', 'C:\\', '\\', true],
])('%s within %s, by %s: %s', (path, folder, separator, expected) => {
  expect(isWithin(path, [folder], separator)).toBe(expected);
});
