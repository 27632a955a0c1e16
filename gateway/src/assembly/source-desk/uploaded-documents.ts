import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sourceName } from '../../config/command-line/for-documents.ts';
import { ToolcribError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { KeptDocument } from '../../server/http/admin/gateway-sources.ts';

/** Bytes of one document that a person uploads. */
export const MAX_UPLOADED_BYTES = 32 * 1024 * 1024;

/**
 * Keeps an OpenAPI document by its content, readable by the owner alone. Whether it can be compiled is seen when it is
 * tried. Throws `body_too_large`, `source_invalid` for what is no text in JSON or YAML.
 */
export async function keepDocument(
  stateDirectory: string,
  content: ReadableStream<Uint8Array> | null,
  filename: string,
): Promise<KeptDocument> {
  const bytes = await bytesOf(content);
  const text = textOf(bytes, filename);
  const name = sourceName(filename);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const folder = join(stateDirectory, 'uploads', digest);
  await makeFolder(folder);
  const path = join(folder, `${name}.${/^\s*\{/.test(text) ? 'json' : 'yaml'}`);
  await replaceFile(path, bytes);
  return { path, bytes: bytes.length, name };
}

async function bytesOf(content: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content ?? []) {
    size += piece.length;
    if (size > MAX_UPLOADED_BYTES)
      throw new ToolcribError('body_too_large', `The document is larger than ${MAX_UPLOADED_BYTES} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function textOf(bytes: Uint8Array, filename: string): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/^\uFEFF/, '');
  } catch {
    throw notDocument(filename, 'it is no text');
  }
  if (text.trim() === '') throw notDocument(filename, 'it is empty');
  if (!/["']?(?:openapi|swagger)["']?\s*:/.test(text))
    throw notDocument(filename, 'it names neither `openapi` nor `swagger`');
  return text;
}

function notDocument(filename: string, reason: string): ToolcribError {
  return new ToolcribError('source_invalid', `${filename.slice(0, 200)} is no OpenAPI document: ${reason}.`, {
    next: 'Give an OpenAPI or Swagger document as JSON or YAML; archives of skills go to the import of skills.',
  });
}
