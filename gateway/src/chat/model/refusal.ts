import { ToolcribError } from '../../errors.ts';
import { retryAfterMs } from '../../operations/http/retry-after.ts';
import type { Json } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { explainProblem, htmlText } from '../../results/problem-text.ts';

const MAX_MESSAGE = 500;
/** Bytes of an error's body that are read. */
const MAX_BODY = 64 * 1024;

/** The endpoint answered, and not with an answer of the model. */
export class Refusal extends Error {
  readonly status: number;
  /** Milliseconds that it asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, wait: number | undefined) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.retryAfterMs = wait;
  }
}

/** What an answer that is no success says, without the key: services repeat it. */
export async function refusalOf(response: Response, key: string | undefined, now: number): Promise<Refusal> {
  const { status, headers } = response;
  const body = await firstBytes(response).catch(() => '');
  const wait = retryAfterMs(Object.fromEntries(headers), now);
  return new Refusal(status, withoutKey(spoken(body), key), wait);
}

/** A sentence of the endpoint, for people: one line, cut, without the key. */
export function sentence(problem: unknown, key: string | undefined): string {
  const text = typeof problem === 'string' ? problem : (explainProblem(problem as Json) ?? '');
  return withoutKey(text, key);
}

/** Throws nothing; the error that the caller of the chat reads. */
export function refused({ status, message, retryAfterMs: wait }: Refusal): ToolcribError {
  const said = message === '' ? '' : `: ${message}`;
  return new ToolcribError('model_failed', `The model's endpoint answered ${status}${said}`, {
    status,
    ...(wait === undefined ? {} : { next: `Try again in ${Math.ceil(wait / 1000)} seconds.` }),
  });
}

async function firstBytes(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    if (bytes >= MAX_BODY) break;
  }
  return text;
}

function spoken(body: string): string {
  if (/^\s*</.test(body)) return htmlText(body);
  try {
    const value = JSON.parse(body) as Json;
    return explainProblem(value) ?? '';
  } catch {
    return body;
  }
}

function withoutKey(text: string, key: string | undefined): string {
  const safe = key === undefined || key === '' ? text : text.replaceAll(key, '[key]');
  return cleanText(safe, { maxLength: MAX_MESSAGE }).text.replace(/\s+/g, ' ').trim();
}
