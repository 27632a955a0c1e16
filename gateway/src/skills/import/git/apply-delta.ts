import { refused } from '../refuse.ts';

/**
 * gitformat-pack, "Deltified representation": the new object as pieces of the old one and new bytes.
 * @param most bytes of the new object
 */
export function applyDelta(base: Buffer, delta: Buffer, most: number): Buffer {
  let at = 0;
  const next = (): number => {
    if (at >= delta.length) throw malformed();
    return delta[at++]!;
  };
  const size = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = next();
      value += (byte & 0x7f) * factor;
      if (value > most) throw refused('An object of the repository is too large.');
      if (byte < 0x80) return value;
    }
  };
  const number = (bits: number, bytes: number): number => {
    let value = 0;
    for (let index = 0; index < bytes; index++)
      if ((bits & (1 << index)) !== 0) value += next() * 2 ** (8 * index);
    return value;
  };
  if (size() !== base.length) throw malformed();
  const result = Buffer.alloc(size());
  let written = 0;
  while (at < delta.length) {
    const command = next();
    const isCopy = command >= 0x80;
    const offset = isCopy ? number(command & 0x0f, 4) : at;
    const length = isCopy ? number((command >> 4) & 0x07, 3) || 0x10000 : command;
    const from = isCopy ? base : delta;
    if (length === 0 || offset + length > from.length || written + length > result.length) throw malformed();
    from.copy(result, written, offset, offset + length);
    written += length;
    if (!isCopy) at += length;
  }
  if (written !== result.length) throw malformed();
  return result;
}

function malformed() {
  return refused('A delta in the pack of the git server is malformed.');
}
