import { ToolcribError } from '../errors.ts';
import type { Principal } from '../operations/index.ts';

/** Calls of our own API may lead to calls of our own API, this deep and no deeper. */
const MAX_DEPTH = 4;

/** Who made a call that came back to us. */
export interface SelfContext {
  readonly principal: Principal;
  readonly depth: number;
  /** The source whose operation was called. */
  readonly source: string;
}

/** What the gateway's HTTP side offers to the gateway itself. */
export interface SelfServer {
  /** Answers as if this principal had sent the request. */
  fetchAs(request: Request, context: Pick<SelfContext, 'principal' | 'depth'>): Promise<Response>;
}

/** The gateway's own HTTP API as an upstream: reached inside the process, as the principal who calls. */
export class SelfService {
  readonly #isSelf: (source: string) => boolean;
  #server: (() => Promise<SelfServer>) | undefined;

  /** Only sources of the kind `self` come in: what another source's document calls a server is not to be trusted. */
  constructor(isSelf: (source: string) => boolean) {
    this.#isSelf = isSelf;
  }

  connect(server: () => Promise<SelfServer>): void {
    this.#server = server;
  }

  async exchange(request: Request, context: unknown): Promise<Response> {
    const { principal, depth, source } = (context ?? {}) as Partial<SelfContext>;
    const invited = source !== undefined && this.#isSelf(source);
    if (this.#server === undefined || principal === undefined || depth === undefined || !invited) {
      throw new ToolcribError(
        'egress_blocked',
        'The gateway reaches its own API only through a call of a self source.',
      );
    }
    if (depth > MAX_DEPTH)
      throw new ToolcribError(
        'overloaded',
        `Calls of the gateway's own API are nested more than ${MAX_DEPTH} deep.`,
      );
    return (await this.#server()).fetchAs(request, { principal, depth });
  }
}

/** The description that the `self` source compiles. */
export async function selfDocument(): Promise<Uint8Array> {
  const { describeApi } = await import('../server/http/description.ts');
  return new TextEncoder().encode(JSON.stringify(describeApi()));
}
