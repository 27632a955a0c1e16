import type { ArmAnswer } from './arm-errors.ts';
import { armError } from './arm-errors.ts';

/** One request to the double, without its token. */
export interface ArmRequestRecord {
  readonly method: string;
  /** As it arrived, percent-encoding kept. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Without `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authorized: boolean;
  readonly body: string;
  /** 0 until it is answered, and where the connection was dropped. */
  readonly status: number;
}

/** What happens in place of an answer: another one, a dropped connection, or waiting before the real one. */
export type Plan = ArmAnswer | 'drop' | { readonly hold: Promise<unknown> };

/** `times`: how often; default once. `always` until `forget` or `heal`. */
export interface Interruption {
  readonly when: (request: ArmRequestRecord) => boolean;
  readonly plan: Plan;
  readonly times?: number | 'always';
}

/** How an API can be broken: status 500 in ARM's envelope, a page, text that is no JSON, no answer. */
export type Damage = 'error' | 'html' | 'not-json' | 'drop';

const DAMAGES: Readonly<Record<Damage, Plan>> = {
  error: armError(500, 'InternalServerError', 'Encountered internal server error.'),
  html: {
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><h1>502 Bad Gateway</h1>',
  },
  'not-json': {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"swagger": "2.0", "paths": {',
  },
  drop: 'drop',
};

/** What tests planned for requests that are still to come. */
export class Interference {
  #interruptions: { readonly when: Interruption['when']; readonly plan: Plan; left: number; api?: string }[] =
    [];

  add({ when, plan, times = 1 }: Interruption): void {
    this.#interruptions.push({ when, plan, left: times === 'always' ? Number.POSITIVE_INFINITY : times });
  }

  /** Every read of this managed API goes wrong until it is healed. */
  breakApi(api: string, damage: Damage): void {
    this.heal(api);
    const when = ({ path }: ArmRequestRecord) =>
      path.toLowerCase().endsWith(`/managedapis/${api}`.toLowerCase());
    this.#interruptions.push({ when, plan: DAMAGES[damage], left: Number.POSITIVE_INFINITY, api });
  }

  heal(api: string): void {
    this.#interruptions = this.#interruptions.filter((one) => one.api !== api);
  }

  /** The plan for a request; each counts down when it is taken. */
  take(request: ArmRequestRecord): Plan | undefined {
    const found = this.#interruptions.find(({ when, left }) => left > 0 && when(request));
    if (found !== undefined) found.left -= 1;
    return found?.plan;
  }

  clear(): void {
    this.#interruptions = [];
  }
}

/** The 429 of ARM. `seconds`: what Retry-After says; absent: it says nothing. */
export function throttled(seconds?: number): ArmAnswer {
  const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  const text = 'Number of requests for the subscription exceeded the limit. Please try again later.';
  return armError(429, 'SubscriptionRequestsThrottled', text, headers);
}
