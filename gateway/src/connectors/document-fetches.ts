import { EgressFailure, failureCode } from '../egress/index.ts';
import { isToolcribError } from '../errors.ts';
import { documentProblem } from './api-document.ts';
import type { ArmConnection } from './connections.ts';
import type { Known } from './known.ts';

const AT_ONCE = 4;

export interface DocumentFetchOptions {
  readonly known: Known;
  /** The document of one API as text. */
  fetch(api: { readonly name: string; readonly path: string }, signal: AbortSignal): Promise<string>;
  /** Stores it; the name of its file. */
  keep(text: string): Promise<string>;
  /** One API's document, or why there is none, is known now. */
  arrived(): void;
  report(error: unknown, what: string): void;
  /** Ends all fetches. */
  readonly life: AbortSignal;
}

/** Fetches the documents of APIs, four at a time and each once however many wait for it. */
export interface DocumentFetches {
  /** Resolves when it is known, or why it is not; never rejects for the API's sake. */
  fetch(connection: ArmConnection): Promise<void>;
  /** Resolves when none is under way, nor writing what came. */
  settled(): Promise<void>;
}

export function documentFetches(options: DocumentFetchOptions): DocumentFetches {
  const { known, life } = options;
  const flights = new Map<string, Promise<void>>();
  const waiting: Array<() => void> = [];
  let busy = 0;

  const enter = async () => {
    if (busy < AT_ONCE) busy++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  /** The place goes straight to who waits. */
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) busy--;
    else next();
  };

  const run = async (connection: ArmConnection) => {
    const { api, apiPath } = connection;
    await enter();
    try {
      if (life.aborted) return;
      const file = await options.keep(await options.fetch({ name: api, path: apiPath }, life));
      // nobody may need it any more
      known.setDocument(connection, file);
    } catch (error) {
      if (life.aborted) return;
      if (known.setProblem(api, kindOf(error), documentProblem(error)))
        options.report(error, `the API ${api} cannot be read; it is tried again`);
    } finally {
      leave();
    }
    options.arrived();
  };

  return {
    fetch(connection) {
      const { apiPath } = connection;
      const before = flights.get(apiPath);
      if (before !== undefined) return before;
      const flight = run(connection).finally(() => flights.delete(apiPath));
      flights.set(apiPath, flight);
      return flight;
    },
    async settled() {
      await Promise.all(flights.values());
    },
  };
}

/** Without what differs at each try, as the id of a request. */
function kindOf(error: unknown): string {
  if (isToolcribError(error)) {
    return [error.code, error.status ?? '', String(error.details?.['armCode'] ?? '')].join(' ');
  }
  return error instanceof EgressFailure ? failureCode(error) : 'fault';
}
