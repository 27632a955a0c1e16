import type { Event } from '../../../gateway/src/operations/index.ts';
import type { Gap, StreamFailure } from './event-reader.ts';

export type StreamState = 'closed' | 'connecting' | 'open' | 'lost';

/** Asks the tab that has the stream how it is. */
export interface Hello {
  readonly kind: 'hello';
  /** Somebody looks at a page that waits for the connection. */
  readonly waiting: boolean;
}

/** How the stream is, and maybe what came. */
export interface Word {
  readonly kind: 'word';
  /** Another one: the sequences count anew. */
  readonly log: number;
  readonly state: StreamState;
  readonly failure: StreamFailure | undefined;
  /** How far the stream was before these events, and with them. */
  readonly after: number | undefined;
  readonly last: number | undefined;
  readonly events: readonly Event[];
  readonly gap: Gap | undefined;
}
