import { expect, test } from 'vitest';
import { privateFolders } from '../../../src/executors/script/script-environment.ts';

test('home and temporary files are private by the names of each system', () => {
  expect(privateFolders('/w', 'linux')).toEqual({ HOME: '/w', TMPDIR: '/w' });
  expect(privateFolders('/w', 'darwin')).toEqual({ HOME: '/w', TMPDIR: '/w' });
  // Node.js and others read these there, and would be given the gateway's own
  expect(privateFolders('W', 'win32')).toMatchObject({ USERPROFILE: 'W', TEMP: 'W', TMP: 'W' });
});
