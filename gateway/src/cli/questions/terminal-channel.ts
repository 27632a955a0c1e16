import {
  type CallChannel,
  type InputRequest,
  type InputRequiredResult,
  isObject,
  type Json,
  type JsonObject,
  type Result,
} from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { painter, type Terminal } from '../terminal/terminal.ts';
import { askForm } from './ask-form.ts';
import { askPage } from './ask-page.ts';

/** What a command shows of a call that is under way, and what it asks its person meanwhile. */
export interface TerminalChannel {
  readonly channel: CallChannel;
  /**
   * Answers what a call ended with a question about, and goes on with it, until it has ended. A question that is none
   * for a person stays the result; so does every question where nobody can be asked.
   */
  answered(result: Result, goOn: (answers: CallChannel) => Promise<Result>): Promise<Result>;
}

export interface TerminalChannelOptions {
  readonly terminal: Terminal;
  /** The command is asked to end: nothing is asked any more. */
  readonly signal: AbortSignal;
  /** What a slow tool says that it is doing is shown, a dim line each. */
  readonly showProgress: boolean;
}

/** One question at a time stands on the terminal, and nothing else is written there until it is answered. */
export function terminalChannel({ terminal, signal, showProgress }: TerminalChannelOptions): TerminalChannel {
  let open = 0;
  let last: Promise<unknown> = Promise.resolve();
  const ask = (request: InputRequest, until: AbortSignal): Promise<JsonObject> => {
    open++;
    const answer = last
      .then(() => askPerson(request, terminal, AbortSignal.any([signal, until])))
      .finally(() => {
        open--;
      });
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    channel: {
      ...(showProgress ? { progress: progressOn(terminal, () => open === 0) } : {}),
      ...(canAsk(terminal) ? { clientCapabilities: CAPABILITIES, decidesApprovals: true, ask } : {}),
    },
    async answered(first, goOn) {
      let result = first;
      while (isForPerson(result) && canAsk(terminal) && !signal.aborted) {
        const answers: Array<readonly [string, Json]> = [];
        for (const [key, request] of Object.entries(result.requests))
          answers.push([key, await ask(request, signal)]);
        const inputResponses = Object.fromEntries(answers);
        const { state } = result;
        result = await goOn({ inputResponses, ...(state === undefined ? {} : { requestState: state }) });
      }
      return result;
    },
  };
}

/** Questions to a person (MCP, elicitation) in both modes. */
const CAPABILITIES = Object.freeze({ elicitation: { form: {}, url: {} } });

const MAX_PROGRESS = 200;

function canAsk(terminal: Terminal): boolean {
  return terminal.interactive && terminal.choose !== undefined && terminal.line !== undefined;
}

function isForPerson(result: Result): result is InputRequiredResult {
  if (result.kind !== 'input_required') return false;
  return Object.values(result.requests).every(({ method }) => method === 'elicitation/create');
}

async function askPerson(
  { method, params = {} }: InputRequest,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (method !== 'elicitation/create') throw new Error(`The command line cannot answer ${method}.`);
  signal.throwIfAborted();
  const { mode, message, url, requestedSchema } = params;
  const asked = typeof message === 'string' ? message : '';
  if (mode === 'url' && typeof url === 'string') return askPage(asked, url, terminal, signal);
  return askForm(asked, isObject(requestedSchema) ? requestedSchema : {}, terminal, signal);
}

/** What a slow tool says that it is doing; the server's words. */
function progressOn(terminal: Terminal, isQuiet: () => boolean): NonNullable<CallChannel['progress']> {
  const paint = painter(terminal);
  let last: string | undefined;
  return async (done, total, message) => {
    const counted = total === undefined ? `${done}` : `${done} of ${total}`;
    const line = printable(message ?? counted, MAX_PROGRESS);
    if (line !== last && isQuiet()) terminal.note(paint('dim', line));
    last = line;
  };
}
