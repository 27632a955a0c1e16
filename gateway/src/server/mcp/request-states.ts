import { createHash, randomBytes } from 'node:crypto';
import { createRequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';
import { ToolcribError } from '../../errors.ts';
import type { Json, Principal } from '../../operations/index.ts';

const VALID_SECONDS = 600;

interface Sealed {
  /** What the state belongs to: principal, method and name. */
  readonly of: string;
  readonly state: Json;
}

/** Signs what an unfinished call hands to its client, and takes it back only from the same principal for the same target. */
export interface RequestStates {
  seal(state: Json, target: StateTarget): Promise<string>;
  /** For the SDK: rejects what was not signed here or has expired. */
  verify(sealed: string, context: ServerContext): Promise<unknown>;
  /** The verified state of this request. Throws `request_state_invalid` when it is another target's. */
  open(context: ServerContext, target: StateTarget): Json | undefined;
}

export interface StateTarget {
  readonly principal: Principal;
  readonly method: string;
  /** Tool or prompt name, or resource address. */
  readonly name: string;
}

/** The key lives as long as the process: another process cannot go on with its calls. */
export function createRequestStates(): RequestStates {
  const codec = createRequestStateCodec<Sealed>({ key: randomBytes(32), ttlSeconds: VALID_SECONDS });
  return {
    seal: (state, target) => codec.mint({ of: targetDigest(target), state }),
    verify: (sealed, context) => codec.verify(sealed, context),
    open(context, target) {
      const sealed = context.mcpReq.requestState<Sealed>();
      if (sealed === undefined) return undefined;
      if (sealed.of === targetDigest(target)) return sealed.state;
      throw new ToolcribError('request_state_invalid', 'The request state belongs to another request.');
    },
  };
}

function targetDigest({ principal, method, name }: StateTarget): string {
  const text = JSON.stringify([principal.id, method, name]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
