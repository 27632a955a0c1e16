/** By its byte order mark, as Windows PowerShell writes files. */
export function isUtf16(bytes: Uint8Array): boolean {
  return utf16Of(bytes) !== undefined;
}

/** The text of a document: UTF-8, or UTF-16 where its byte order mark says so (YAML 1.2.2 §5.2). */
export function fileText(bytes: Uint8Array): string {
  const label = utf16Of(bytes);
  if (label !== undefined) return new TextDecoder(label).decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
