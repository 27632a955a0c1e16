import { execFile } from 'node:child_process';
import { once } from '../operations/work/once.ts';
import { type IsolationStatus, isolationStatus } from './isolation-status.ts';

/** What isolates programs here, with its version, or why nothing does. */
export type IsolationInForce =
  | {
      readonly available: true;
      /** Absolute. */
      readonly program: string;
      /** As it says itself: `bubblewrap 0.8.0`. */
      readonly version: string;
      /** The private /tmp can be given a size. */
      readonly limitsTmp: boolean;
    }
  | { readonly available: false; readonly reason: string };

const VERSION_MS = 5_000;

/** Found out once for the process: for scripts, `doctor` and reports. Never rejects. */
export const isolationInForce: () => Promise<IsolationInForce> = once(async () =>
  withVersion(await isolationStatus()),
);

/** One line for people: `bubblewrap 0.8.0`, or why there is none. */
export function isolationText(isolation: IsolationInForce): string {
  return isolation.available ? isolation.version : isolation.reason;
}

async function withVersion(status: IsolationStatus): Promise<IsolationInForce> {
  if (!status.available) return status;
  const { program } = status;
  const said = await new Promise<string>((resolve) => {
    execFile(program, ['--version'], { env: {}, timeout: VERSION_MS, killSignal: 'SIGKILL' }, (error, out) =>
      resolve(error === null ? out.trim().slice(0, 100) : ''),
    );
  });
  const numbers = /(\d+)\.(\d+)/.exec(said);
  const [major, minor] = [Number(numbers?.[1] ?? 0), Number(numbers?.[2] ?? 0)];
  return {
    available: true,
    program,
    version: said === '' ? 'bubblewrap' : said,
    limitsTmp: major > 0 || minor >= 7,
  };
}
