import { isObject, type Json } from '../../../operations/index.ts';

/** What a call that waits for its client's person carries in its request state, which the server signs. */
export interface ApprovalState {
  readonly id: string;
  /** How the person was asked. */
  readonly asked: 'form' | 'url';
  /** Present: the approval is in use, and the tool itself asked the client; this is its how-manieth question. */
  readonly round?: number;
  /** The state of the tool's own question. */
  readonly inner?: Json;
}

const KEY = 'toolcrib/approval';

export function sealInner(state: ApprovalState): Json {
  return { [KEY]: { ...state } as unknown as Json };
}

/** Undefined for a state of somebody else's. */
export function stateOf(state: Json | undefined): ApprovalState | undefined {
  const ours = isObject(state) && Object.hasOwn(state, KEY) ? state[KEY] : undefined;
  if (!isObject(ours)) return undefined;
  const { id, asked, round, inner } = ours;
  if (typeof id !== 'string' || (asked !== 'form' && asked !== 'url')) return undefined;
  return {
    id,
    asked,
    ...(typeof round === 'number' ? { round } : {}),
    ...(inner === undefined ? {} : { inner }),
  };
}
