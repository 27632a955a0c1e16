const WIDTH = 16;

/** Bytes as a hex dump: offset, values, and the characters that can be printed. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += WIDTH) {
    const part = [...bytes.subarray(start, start + WIDTH)];
    const values = part.map((byte) => byte.toString(16).padStart(2, '0'));
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');
    const left = values.slice(0, 8).join(' ').padEnd(23);
    const right = values.slice(8).join(' ').padEnd(23);
    lines.push(`${start.toString(16).padStart(8, '0')}  ${left}  ${right}  ${text}`);
  }
  return lines.join('\n');
}
