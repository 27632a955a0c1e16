/** Characters `[start, end)` of a text. */
export type Range = readonly [start: number, end: number];

/** Leads from a text with replaced pieces back to the text that it was made from. */
export class PieceMap {
  readonly #made: Range[] = [];
  readonly #from: Range[] = [];

  /** Pieces come in order; what lies between them was copied. */
  add(made: Range, from: Range): void {
    this.#made.push(made);
    this.#from.push(from);
  }

  /** A range that touches a replaced piece takes in all that the piece was made from. */
  locate(first: number, after: number): Range {
    return [this.#rangeAt(first)[0], this.#rangeAt(after - 1)[1]];
  }

  #rangeAt(position: number): Range {
    const index = this.#lastStartingBy(position);
    if (index < 0) return [position, position + 1];
    const [, madeEnd] = this.#made[index]!;
    const [, fromEnd] = this.#from[index]!;
    if (position < madeEnd) return this.#from[index]!;
    const at = fromEnd + position - madeEnd;
    return [at, at + 1];
  }

  #lastStartingBy(position: number): number {
    let low = 0;
    let high = this.#made.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#made[middle]![0] <= position) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
