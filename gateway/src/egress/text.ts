import { TextDecoder } from 'node:util';

/** Bytes as text: a byte order mark wins, then the charset parameter, then UTF-8; never throws. */
export function decodeText(body: Uint8Array, contentType: string | undefined): string {
  return decoderFor(body, contentType).decode(body);
}

function decoderFor(body: Uint8Array, contentType: string | undefined): TextDecoder {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return new TextDecoder('utf-8');
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le');
  if (body[0] === 0xfe && body[1] === 0xff) return new TextDecoder('utf-16be');
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType ?? '');
  try {
    return new TextDecoder(charset?.[1] ?? charset?.[2] ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
