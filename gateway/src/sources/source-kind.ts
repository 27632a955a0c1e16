import type { Hash } from 'node:crypto';
import type { z } from 'zod';
import type { HintReader } from '../hints/index.ts';
import type { Description, SecretReference } from '../operations/index.ts';

/** What an address wants to see before it answers. */
export interface ReadAccess {
  /** By header name. Secrets are read when the request is made, and go to the address's own origin alone. */
  readonly headers: Readonly<Record<string, SecretReference>>;
  /** The configuration key that they come from, for messages. */
  readonly place: string;
}

/** Reads one address for a source; http(s) goes through the egress door. */
export interface SourceReader {
  /** `location` is an absolute path, a file: or http(s): URL, or `-` for standard input. */
  read(location: string, signal: AbortSignal, access?: ReadAccess): Promise<Uint8Array>;
  /** The SHA-256 so far of what was read there, where it is known: to go on with, instead of hashing it again. */
  hashed?(location: string): Hash | undefined;
}

/** Names of headers (lower case) and of parameters in the query. */
export interface FixedParameters {
  readonly headers: readonly string[];
  readonly query: readonly string[];
}

export interface SourceContext {
  /** The source's name in the configuration. */
  readonly name: string;
  /** Folder that relative paths of the configuration are relative to. */
  readonly baseDirectory: string;
  readonly reader: SourceReader;
  readonly signal: AbortSignal;
  /** What every call carries by the configuration: no argument can set it. */
  readonly fixedParameters?: FixedParameters;
  /** Readers of hints that the embedder brought. */
  readonly hintReaders?: readonly HintReader[];
}

/** One way to describe operations. A new kind of ours is one folder, a line in `registry.ts`, and its name in `config/`. */
export interface SourceKind<C> {
  /** Also the key in the configuration: `sources: { github: { openapi: … } }`. */
  readonly kind: string;
  readonly config: z.ZodType<C>;
  describe(config: C, context: SourceContext): Promise<Description>;
}
