/** A tool that the scripted model calls. */
export interface ScriptedCall {
  readonly name: string;
  /** A text goes out as it is, valid JSON or not. */
  readonly arguments?: object | string;
  readonly id?: string;
}

/** One answer of the model. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: string;
  readonly usage?: { readonly input: number; readonly output: number };
  /** Bytes of each write; small ones cut frames and characters in two. Default 1,000. */
  readonly pieces?: number;
  /** Line ends of the stream. Default LF. */
  readonly crlf?: boolean;
  /** Answers at once, although a stream was asked for. */
  readonly whole?: boolean;
  /** Frames after which the connection is cut. */
  readonly cutAfter?: number;
  /** Frames after which an error object stands in the stream. */
  readonly failAfter?: number;
  /** Frames after which nothing comes until it settles. */
  readonly holdAfter?: number;
  readonly hold?: Promise<unknown>;
}

export function argumentText({ arguments: given = {} }: ScriptedCall): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}
