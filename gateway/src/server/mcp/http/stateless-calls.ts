import { PROTOCOL_VERSION_META_KEY, type RequestId } from '@modelcontextprotocol/server';
import { type Answer, WholeAnswer } from '../../whole-answer.ts';
import { connectionClosed } from '../plain/direct-calls.ts';
import {
  type Begun,
  type CallRoute,
  type DirectWay,
  type Envelope,
  envelopeText,
  type PlainCall,
  plainCall,
} from '../plain/plain-call.ts';
import { isOrdinary } from '../read-message.ts';

/** Envelopes that are remembered, and characters of one. */
const MAX_ENVELOPES = 256;
const MAX_ENVELOPE = 8192;
/** A header that says a name as it is; others may be encoded, which the SDK knows. */
const PLAIN_NAME = /^(?!=\?)[\x21-\x7e]+$/;

/**
 * Plain calls over HTTP since 2026-07-28, past the SDK, which makes a server for each request: once it has let an
 * envelope through, calls with the same one and headers that agree are carried out at once. What has no plain answer
 * goes to the SDK, to be worded there.
 */
export class StatelessCalls {
  readonly #accepted = new Map<string, Envelope>();
  readonly #open = new Set<AbortController>();
  readonly #begun = new WeakMap<Request, Begun>();

  /** For the SDK's server of this request. */
  way(request: Request): DirectWay {
    return {
      open: ({ envelope }) => this.#accept(envelope),
      begun: () => {
        const begun = this.#begun.get(request);
        this.#begun.delete(request);
        return begun;
      },
    };
  }

  /** Undefined: the request is the SDK's. */
  async answer(
    request: Request,
    body: unknown,
    routeOf: (envelope: Envelope) => CallRoute,
  ): Promise<Answer | undefined> {
    if (!isOrdinary(body) || !('id' in body) || body.method !== 'tools/call') return undefined;
    const plain = plainCall(body.params, request);
    if (plain?.envelope === undefined || request.signal.aborted) return undefined;
    const envelope = this.#accepted.get(plain.envelope);
    if (envelope === undefined || !headersAgree(request, plain.call.name, envelope)) return undefined;
    return this.#carryOut(request, body.id, plain, routeOf(envelope));
  }

  /** Ends what is open, with the SDK's own reason. */
  close(): void {
    for (const controller of this.#open) controller.abort(connectionClosed());
    this.#accepted.clear();
  }

  async #carryOut(
    request: Request,
    id: RequestId,
    { call }: PlainCall,
    route: CallRoute,
  ): Promise<Answer | undefined> {
    const controller = new AbortController();
    const onAbort = () => controller.abort(connectionClosed());
    request.signal.addEventListener('abort', onAbort, { once: true });
    this.#open.add(controller);
    const result = route.run(call, controller.signal);
    let answer: string | undefined;
    try {
      answer = route.answer(await result, call);
    } catch {
      // the SDK finds the same error in `begun`
    }
    this.#open.delete(controller);
    request.signal.removeEventListener('abort', onAbort);
    if (controller.signal.aborted) return new Response(null, { status: 499 });
    if (answer === undefined) {
      this.#begun.set(request, { result });
      return undefined;
    }
    return new WholeAnswer(`{"result":${answer},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`, {
      'content-type': 'application/json',
    });
  }

  #accept(envelope: Envelope): void {
    const text = envelopeText(envelope);
    if (text === undefined || text.length > MAX_ENVELOPE || this.#accepted.has(text)) return;
    const [oldest] = this.#accepted.keys();
    if (this.#accepted.size >= MAX_ENVELOPES) this.#accepted.delete(oldest!);
    this.#accepted.set(text, envelope);
  }
}

/** They have to say what the body says (MCP 2026-07-28, standard request headers). */
function headersAgree({ headers }: Request, name: string, envelope: NonNullable<Envelope>): boolean {
  return (
    headers.get('mcp-name') === name &&
    PLAIN_NAME.test(name) &&
    headers.get('mcp-method') === 'tools/call' &&
    headers.get('mcp-protocol-version') === envelope[PROTOCOL_VERSION_META_KEY]
  );
}
