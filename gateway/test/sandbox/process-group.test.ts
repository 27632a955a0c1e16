import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endProcess } from '../../src/sandbox/index.ts';

/** Leaves some time after the end of its input; a signal ends it with 3. */
const SLOW = `process.on('SIGTERM', () => process.exit(3));
process.stdin.on('end', () => setTimeout(() => process.exit(0), 400)).resume();
process.stdout.write('ready');`;

test.skipIf(process.platform === 'win32').each([
  ['linux', 3],
  ['win32', 0],
] as const)(
  'a process that is slow to leave is asked again on %s only where asking is not killing: %s',
  async (platform, code) => {
    const child = spawn(process.execPath, ['-e', SLOW], { detached: true });
    await once(child.stdout, 'data');
    await endProcess(child, false, platform);
    expect(child.exitCode).toBe(code);
  },
);
