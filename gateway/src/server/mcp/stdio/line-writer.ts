import { type EventEmitter, once } from 'node:events';

/** Where lines go: `write` answers false when it wants a pause, and `events` then says `drain`. */
export interface LineOutput {
  write(text: string | Uint8Array): boolean;
  readonly events: EventEmitter;
}

/** Writes lines in the order in which they come. */
export class LineWriter {
  readonly #output: LineOutput;
  #held = '';
  #turn: Promise<void> | undefined;
  #drain: Promise<unknown> | undefined;
  #unread = 0;

  constructor(output: LineOutput) {
    this.#output = output;
  }

  /** Bytes and characters that wait until somebody reads. */
  get unread(): number {
    return this.#unread;
  }

  /**
   * Resolves when the line has been taken, rejects when the output fails first. With `gather` it waits for the
   * end of this turn of the event loop, so that lines that come together cost one write.
   */
  write(line: string, gather: boolean): Promise<void> {
    this.#held += line;
    if (!gather) return this.flush();
    this.#turn ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#turn = undefined;
      return this.flush();
    });
    return this.#turn;
  }

  /** Writes one long line that is there in pieces of UTF-8, after what is held. */
  async writePieces(pieces: readonly Uint8Array[]): Promise<void> {
    let flowing = this.#writeHeld();
    for (const piece of pieces) flowing = this.#put(piece) && flowing;
    if (!flowing) await this.#drained();
  }

  /** Writes what is held. */
  async flush(): Promise<void> {
    if (!this.#writeHeld()) await this.#drained();
  }

  /** One wait for all who want to write. */
  #drained(): Promise<unknown> {
    this.#drain ??= once(this.#output.events, 'drain').finally(() => {
      this.#drain = undefined;
      this.#unread = 0;
    });
    return this.#drain;
  }

  /** False when the output wants a pause. */
  #writeHeld(): boolean {
    if (this.#held === '') return true;
    const text = this.#held;
    this.#held = '';
    return this.#put(text);
  }

  #put(text: string | Uint8Array): boolean {
    const flowing = this.#output.write(text);
    this.#unread = flowing ? 0 : this.#unread + text.length;
    return flowing;
  }
}
