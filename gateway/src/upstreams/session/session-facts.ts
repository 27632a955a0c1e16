import type { JsonObject } from '../../operations/index.ts';

/** What the handshake told. */
export interface SessionFacts {
  readonly era: 'legacy' | 'modern';
  readonly capabilities: JsonObject;
  readonly server: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions?: string;
}
