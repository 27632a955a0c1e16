import { execFile } from 'node:child_process';
import { findProgram } from './find-program.ts';

/** Whether programs can be isolated here, for `doctor` and before every start. */
export type IsolationStatus =
  | { readonly available: true; readonly program: string }
  | { readonly available: false; readonly reason: string };

const FOLDERS = '/usr/bin:/usr/local/bin:/bin';
const PROBE_MS = 5_000;

/** Looks for bwrap and tries it: on many machines user namespaces are forbidden. `path` is where to look. */
export async function isolationStatus(path: string = FOLDERS): Promise<IsolationStatus> {
  if (process.platform !== 'linux') {
    return { available: false, reason: `bubblewrap needs Linux, and this is ${process.platform}` };
  }
  const program = await findProgram('bwrap', path, '/');
  if (program === undefined) return { available: false, reason: 'bubblewrap (bwrap) is not installed' };
  const args = [
    '--unshare-all',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--',
    '/bin/true',
  ];
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, timeout: PROBE_MS, killSignal: 'SIGKILL' }, (error, _out, stderr) => {
      const said = stderr.trim().split('\n').at(-1)?.slice(0, 200) || 'no namespaces can be made';
      resolve(
        error === null
          ? { available: true, program }
          : { available: false, reason: `bubblewrap cannot isolate here: ${said}` },
      );
    });
  });
}
