import { expect, test } from 'vitest';
import { windowsCandidates } from '../../src/sandbox/find-interpreter.ts';

const PATH = [
  'C:\\Windows\\System32',
  'C:\\Users\\ada\\AppData\\Local\\Microsoft\\WindowsApps',
  'C:\\Program Files\\Git\\cmd',
  'here',
  'D:\\Python313\\',
].join(';');

test('Python is looked for under the name that python.org gives it, and in the Store last', () => {
  expect(windowsCandidates('python3', PATH)).toEqual([
    'C:\\Windows\\System32\\python3.exe',
    'C:\\Program Files\\Git\\cmd\\python3.exe',
    'D:\\Python313\\python3.exe',
    'C:\\Windows\\System32\\python.exe',
    'C:\\Program Files\\Git\\cmd\\python.exe',
    'D:\\Python313\\python.exe',
    'C:\\Users\\ada\\AppData\\Local\\Microsoft\\WindowsApps\\python3.exe',
    'C:\\Users\\ada\\AppData\\Local\\Microsoft\\WindowsApps\\python.exe',
  ]);
});

test.each(['sh', 'bash'] as const)('%s is that of Git, never that of a Linux beside Windows', (name) => {
  expect(windowsCandidates(name, PATH)).toEqual([
    `C:\\Program Files\\Git\\cmd\\${name}.exe`,
    `D:\\Python313\\${name}.exe`,
    `C:\\Program Files\\Git\\bin\\${name}.exe`,
  ]);
});
