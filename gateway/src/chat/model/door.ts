import type { Egress, FetchLimits } from '../../egress/index.ts';
import { VERSION } from '../../version.ts';
import { MAX_ANSWER_BYTES, SILENCE_MS } from '../limits.ts';
import { refusalOf } from './refusal.ts';

const LIMITS: Partial<FetchLimits> = {
  headersTimeoutMs: SILENCE_MS,
  idleTimeoutMs: SILENCE_MS,
  maxBytes: MAX_ANSWER_BYTES,
};

/** An endpoint that does not stream answers with the whole at once. */
export class WholeAnswer extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super('the endpoint does not stream');
    this.response = response;
  }
}

export interface ModelDoor {
  readonly fetch: typeof globalThis.fetch;
  /** Why the last request brought no stream; the library wraps what it is thrown. */
  failure(): unknown;
}

/**
 * The library's `fetch`, through the door. No redirect is followed: the key is for one address. Throws Refusal,
 * WholeAnswer, EgressFailure.
 */
export function modelDoor(egress: Pick<Egress, 'fetch'>, apiKey: string | undefined): ModelDoor {
  let failure: unknown;
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers);
    headers.set('user-agent', `toolcrib/${VERSION}`);
    headers.set('accept', 'text/event-stream, application/json');
    const response = await egress.fetch(
      input as string | URL,
      { ...init, headers, redirect: 'error' },
      LIMITS,
    );
    if (!response.ok) throw await refusalOf(response, apiKey, Date.now());
    if (/[/+]json\b/i.test(response.headers.get('content-type') ?? '')) throw new WholeAnswer(response);
    return response;
  };
  return {
    fetch: (input, init) =>
      send(input, init).catch((error: unknown) => {
        failure = error;
        throw error;
      }),
    failure: () => failure,
  };
}
