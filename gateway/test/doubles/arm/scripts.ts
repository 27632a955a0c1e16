import type { InvokeRequest } from './check-request.ts';
import type { Json } from './json.ts';

/** One call that reached `dynamicInvoke`, as it was understood. */
export interface Invocation extends InvokeRequest {
  readonly connection: string;
  /** The hexadecimal id that ARM puts in the place of `{connectionId}`. */
  readonly connectionId: string;
  readonly api: string;
  /** Undefined: no operation of the connector has this path. */
  readonly operationId: string | undefined;
  /** Path values, decoded. */
  readonly pathValues: Readonly<Record<string, string>>;
  /** What was wrong with it, one sentence each. */
  readonly problems: readonly string[];
  /** The body of the POST, byte for byte. */
  readonly text: string;
}

/** An answer of a connector that a test wrote. */
export interface ScriptedAnswer {
  /** A word of .NET, a number, or a number as text: written as it is. Default `OK`. */
  readonly status?: string | number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** `bare`: without `response` around it; `text`: the body as JSON text; `only-body`: nothing but the body. */
  readonly form?: 'bare' | 'text' | 'only-body';
}

export type Script = ScriptedAnswer | ((invocation: Invocation) => ScriptedAnswer);

/** Answers by operation: taken in turn, the last one stays. Keys: `<api>.<operationId>`. */
export class Scripts {
  readonly #scripts = new Map<string, Script[]>();

  set(key: string, scripts: readonly Script[]): void {
    if (scripts.length === 0) this.#scripts.delete(key);
    else this.#scripts.set(key, [...scripts]);
  }

  take(key: string, invocation: Invocation): ScriptedAnswer | undefined {
    const scripts = this.#scripts.get(key);
    const next = scripts !== undefined && scripts.length > 1 ? scripts.shift() : scripts?.[0];
    return typeof next === 'function' ? next(invocation) : next;
  }

  /** What would be answered now; nothing is used up. */
  peek(key: string, invocation: Invocation): ScriptedAnswer | undefined {
    const next = this.#scripts.get(key)?.[0];
    return typeof next === 'function' ? next(invocation) : next;
  }

  clear(): void {
    this.#scripts.clear();
  }
}

/** The answer of ARM to an invocation: status 200 whatever the connector said. */
export function writtenAnswer({ status = 'OK', headers, body, form }: ScriptedAnswer): Json {
  if (form === 'only-body') return body ?? null;
  const written = form === 'text' && body !== undefined ? JSON.stringify(body) : body;
  const answer = {
    statusCode: status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'x-ms-request-id': 'connector',
      ...headers,
    },
    ...(written === undefined ? {} : { body: written }),
  };
  return form === 'bare' ? answer : { response: answer };
}
