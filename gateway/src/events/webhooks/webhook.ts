import type { Event } from '../../operations/index.ts';

/** Who is told of events, and how. */
export interface Webhook {
  /** How far it has come is kept by it. */
  readonly name: string;
  readonly url: string;
  /** Asked before each delivery. Throws `credentials_missing`. */
  readonly secret: (signal: AbortSignal) => Promise<string>;
  /** Absent: all types. */
  readonly types?: readonly string[];
  readonly format: 'event' | 'run';
  /** Attempts at one event before the webhook counts as failing, or an event it refuses is set aside. */
  readonly attempts: number;
}

/** A one-time link with which a person decides; undefined for an event that has none. */
export type LinkOf = (event: Event) => Promise<string | undefined> | string | undefined;
