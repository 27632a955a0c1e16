import { ToolcribError } from '../errors.ts';
import { exitOf } from './end-by-signal.ts';

/** Ctrl-C at a question: `cancelled`, and the command ends as by the signal, which raw mode takes from the system. */
export class BrokenOff extends ToolcribError {
  readonly exit = exitOf('SIGINT');

  constructor(message: string, next: string) {
    super('cancelled', message, { next });
  }
}
