import { readRequestBody } from '@modelcontextprotocol/server';

/** What a body is compressed with (RFC 9110 §8.4); undefined where it comes as it is, the only way that is read. */
export function foreignCoding({ headers }: Request): string | undefined {
  const coding = headers.get('content-encoding')?.trim().toLowerCase();
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding.slice(0, 50);
}

const told = new WeakMap<Request, (bytes: number) => void>();

/** Tells how large the body was once it is there. */
export function onBodyRead(request: Request, tell: (bytes: number) => void): void {
  told.set(request, tell);
}

/**
 * The body as text; undefined when it is larger than `maxBytes`. A declared length is taken at its word, since
 * HTTP delivers no more than that (RFC 9112 §6.2); without one the bytes are counted as they come.
 */
export async function readBodyText(request: Request, maxBytes: number): Promise<string | undefined> {
  const declared = request.headers.get('content-length');
  if (declared !== null && /^\d+$/.test(declared)) {
    if (Number(declared) > maxBytes) return undefined;
    const text = await request.text();
    told.get(request)?.(text.length);
    return text.length > maxBytes ? undefined : text;
  }
  const read = await readRequestBody(request, maxBytes);
  told.get(request)?.(read.tooLarge ? 0 : read.text.length);
  return read.tooLarge ? undefined : read.text;
}
