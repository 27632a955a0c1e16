/** A header's value as its service meant it: bytes arrive as Latin-1, and many services write UTF-8. */
export function headerText(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? value : text;
}
