import { randomUUID } from 'node:crypto';
import { type ArmAnswer, invalidContent } from './arm-errors.ts';
import { type Json, listOf, objectOf, textOf } from './json.ts';
import type { Caller } from './tokens.ts';

const LIFETIME_MS = 10 * 60_000;

interface ConsentLink {
  readonly connection: string;
  readonly redirectUrl: string;
  readonly endsAt: number;
}

/** Links by which a person signs a connection in, and the page behind them. */
export class ConsentLinks {
  readonly #links = new Map<string, ConsentLink>();
  readonly #codes = new Map<string, string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The answer of `listConsentLinks`. `pageUrl`: where the pages are. */
  list(
    connection: string,
    signedIn: boolean,
    body: Json | undefined,
    caller: Caller,
    pageUrl: string,
  ): ArmAnswer {
    const asked = listOf(objectOf(body).parameters);
    if (asked.length === 0) return invalidContent("The request content has no 'parameters'.");
    const value = [];
    for (const one of asked.map(objectOf)) {
      const problem = mismatch(one.objectId, caller.objectId) || mismatch(one.tenantId, caller.tenantId);
      if (one.parameterName !== 'token')
        return invalidContent(`The connection has no parameter '${textOf(one.parameterName)}'.`);
      if (!URL.canParse(textOf(one.redirectUrl)))
        return invalidContent("The 'redirectUrl' is no absolute URL.");
      if (problem) return invalidContent('The object or tenant id is not that of the caller.');
      const id = randomUUID();
      this.#links.set(id, {
        connection,
        redirectUrl: textOf(one.redirectUrl),
        endsAt: this.#now() + LIFETIME_MS,
      });
      value.push({
        link: `${pageUrl}/consent/${id}`,
        firstPartyLoginUri: `${pageUrl}/first-party/${id}`,
        displayName: null,
        status: signedIn ? 'Authenticated' : 'Unauthenticated',
      });
    }
    return { status: 200, body: { value } };
  }

  /** Who opens the page signs in: the connection that it was for, with the answer of the page. */
  visit(id: string): { readonly connection?: string; readonly answer: ArmAnswer } {
    const link = this.#links.get(id);
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    if (link === undefined || link.endsAt <= this.#now())
      return {
        answer: {
          status: 410,
          headers,
          body: '<!doctype html><title>Consent</title><p>This link has expired.</p>',
        },
      };
    this.#links.delete(id);
    const code = randomUUID();
    this.#codes.set(code, link.connection);
    const target = new URL(link.redirectUrl);
    target.searchParams.set('code', code);
    return { connection: link.connection, answer: { status: 302, headers: { location: target.href } } };
  }

  /** True once for a code that the page gave out for this connection. */
  confirm(connection: string, code: string): boolean {
    return this.#codes.get(code) === connection && this.#codes.delete(code);
  }

  /** As if ten minutes had gone. */
  expire(): void {
    this.#links.clear();
  }
}

const mismatch = (given: Json | undefined, known: string): boolean =>
  given !== undefined && known !== '' && given !== known;
