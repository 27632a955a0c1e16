const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/**
 * Values in UTF-8 as a JSON array, in pieces. Values that already stand side by side in one buffer with a comma
 * between them, as compiled tools do, are one piece and are not copied.
 */
export function jsonArray(values: readonly Uint8Array[]): Uint8Array[] {
  const pieces: Uint8Array[] = [OPEN];
  let run: Uint8Array | undefined;
  for (const value of values) {
    if (run !== undefined && follows(run, value)) {
      run = new Uint8Array(run.buffer, run.byteOffset, run.byteLength + COMMA.length + value.byteLength);
      pieces[pieces.length - 1] = run;
      continue;
    }
    if (run !== undefined) pieces.push(COMMA);
    run = value;
    pieces.push(value);
  }
  pieces.push(CLOSE);
  return pieces;
}

/** Whether a value stands right behind a comma behind the other. */
function follows(before: Uint8Array, value: Uint8Array): boolean {
  if (before.buffer !== value.buffer) return false;
  const end = before.byteOffset + before.byteLength;
  if (value.byteOffset !== end + COMMA.length) return false;
  return new Uint8Array(before.buffer, end, COMMA.length)[0] === COMMA[0];
}
