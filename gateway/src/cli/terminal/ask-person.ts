import { createInterface, emitKeypressEvents, type Key } from 'node:readline';
import { interrupt } from './interrupt.ts';
import type { TerminalChoice } from './terminal-choice.ts';

/** One key press of the person at the terminal; undefined for Ctrl-C, Ctrl-D and Escape, and once the signal aborts. */
export function chooseKey(
  question: string,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (signal?.aborted) return Promise.resolve(undefined);
  const { stdin, stderr } = process;
  stderr.write(question);
  emitKeypressEvents(stdin);
  const raw = stdin.isRaw;
  stdin.setRawMode(true);
  stdin.resume();
  return new Promise((resolve) => {
    const end = (chosen: string | undefined) => {
      stdin.off('keypress', onKey);
      signal?.removeEventListener('abort', onAbort);
      stdin.setRawMode(raw);
      stdin.pause();
      stderr.write(`${chosen ?? ''}\n`);
      resolve(chosen);
    };
    const onAbort = () => end(undefined);
    const onKey = (text: string | undefined, key: Key) => {
      if (key.name === 'escape' || (key.ctrl === true && (key.name === 'c' || key.name === 'd'))) {
        end(undefined);
        if (key.name === 'c') interrupt();
      } else if (text !== undefined && keys.includes(text)) end(text);
    };
    stdin.on('keypress', onKey);
    signal?.addEventListener('abort', onAbort);
  });
}

/**
 * One line, with a text that can be changed; undefined when the person breaks off, and once the signal aborts.
 * @param signal of the command that asks, which Ctrl-C ends; absent: it leaves the question alone
 */
export function readLine(
  question: string,
  initial: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const asking = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: true,
    ...(signal === undefined ? {} : { signal }),
  });
  return new Promise((resolve) => {
    asking.once('close', () => resolve(undefined));
    asking.once('SIGINT', () => {
      asking.close();
      if (signal !== undefined) interrupt();
    });
    asking.question(question, (line) => {
      resolve(line);
      asking.close();
    });
    asking.write(initial);
  });
}

/** One of several, by the arrow keys; undefined for Ctrl-C and Escape. */
export async function chooseOne(
  message: string,
  choices: readonly TerminalChoice[],
  initialValue: string,
): Promise<string | undefined> {
  const { isCancel, select } = await import('@clack/prompts');
  const chosen = await select({ message, options: [...choices], initialValue, output: process.stderr });
  return isCancel(chosen) ? undefined : chosen;
}

/** Yes or no; undefined for Ctrl-C and Escape. */
export async function agree(message: string, initialValue: boolean): Promise<boolean | undefined> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message, initialValue, output: process.stderr });
  return isCancel(answer) ? undefined : answer;
}
