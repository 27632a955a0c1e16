import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { printable } from '../../operations/text/printable.ts';
import type { OpenedTransport } from '../transports/transport.ts';
import { SessionError } from './session-error.ts';

const MAX_SAID = 200;

/** What a server sent that answers no request: most likely meant for one that then waits in vain. */
export interface Strays {
  /** An answer under an id that nobody asked with. */
  answered(message: JSONRPCMessage): void;
  /** To be asked before a request is sent: what is told of one whose time passed holds what has come since. */
  since(): (error: SessionError) => SessionError;
}

export function createStrays(opened: OpenedTransport): Strays {
  let answers = 0;
  let last = '';
  return {
    answered(message) {
      answers += 1;
      const id = 'id' in message && message.id !== undefined ? JSON.stringify(message.id) : 'none';
      const said =
        'error' in message ? `, with the error "${printable(message.error.message, MAX_SAID)}"` : '';
      last = `an answer to no request of ours (id ${printable(id, 50)}${said})`;
    },
    since() {
      const before = { answers, lines: opened.strayLines?.count ?? 0 };
      return (error) => {
        const { count, last: line } = opened.strayLines ?? { count: 0, last: '' };
        const sent = [
          ...(answers > before.answers ? [last] : []),
          ...(count > before.lines
            ? [`a line on stdout that is no message: "${printable(line, MAX_SAID)}"`]
            : []),
        ];
        if (error.kind !== 'deadline' || sent.length === 0) return error;
        const message = `${error.message} Meanwhile the server sent ${sent.join(', and ')}.`;
        return new SessionError(error.kind, message, error);
      };
    },
  };
}
