import type { JsonObject } from '../../operations/index.ts';

/** An object of the document and where it stands. */
export interface Place {
  readonly node: JsonObject;
  readonly pointer: string;
}
