import type { PlainReference } from '../../operations/index.ts';

/** Which team gateway, and where its key stands. */
export interface RemoteOptions {
  readonly remote: string;
  /** Default: the variable TOOLCRIB_API_KEY. */
  readonly key?: PlainReference;
  /** Hosts that plain http may reach. */
  readonly allowPrivate?: readonly string[];
}
