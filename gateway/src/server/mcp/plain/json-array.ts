const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/**
 * Values in UTF-8 as a JSON array, in pieces. Values that already stand side by side in one buffer with a comma
 * between them, as compiled tools do, are one piece and are not copied.
 */
export function jsonArray(values: readonly Uint8Array[]): Uint8Array[] {
  const pieces: Uint8Array[] = [OPEN];
  let from = 0;
  for (let index = 1; index <= values.length; index++) {
    if (index < values.length && follows(values[index - 1]!, values[index]!)) continue;
    if (from > 0) pieces.push(COMMA);
    pieces.push(joined(values[from]!, values[index - 1]!));
    from = index;
  }
  pieces.push(CLOSE);
  return pieces;
}

function joined(first: Uint8Array, last: Uint8Array): Uint8Array {
  const end = last.byteOffset + last.byteLength;
  return first === last ? first : new Uint8Array(first.buffer, first.byteOffset, end - first.byteOffset);
}

/** Whether a value stands right behind a comma behind the other. */
function follows(before: Uint8Array, value: Uint8Array): boolean {
  if (before.buffer !== value.buffer) return false;
  const end = before.byteOffset + before.byteLength;
  if (value.byteOffset !== end + COMMA.length) return false;
  return new Uint8Array(before.buffer, end, COMMA.length)[0] === COMMA[0];
}
