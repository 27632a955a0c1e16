import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import type { SkillImportOptions, SkillImportSource } from '../../../../skills/room.ts';
import { readJson } from '../../read-json.ts';
import { checked } from '../../route.ts';
import { type FormPart, readForm } from './multipart.ts';

const MIB = 1024 * 1024;
/** An archive of the largest size, and the form around it. */
const MAX_UPLOAD_BYTES = 65 * MIB;
const MAX_FIELD_BYTES = 8192;

export const IMPORT_REQUEST = z.strictObject({
  url: z.string().min(1).max(4096).describe('Of an archive, a SKILL.md or a git repository (#ref:folder).'),
  force: z.boolean().optional().describe('Replaces a good skill even by one that is worse.'),
  only: z.array(z.string().max(128)).min(1).max(500).optional().describe('Only these of several skills.'),
});

/** What a form sends in place of JSON. */
export const IMPORT_FORM = z.object({
  file: z.string().describe('The archive, or a SKILL.md alone; at most 64 MiB.').optional(),
  url: IMPORT_REQUEST.shape.url.optional(),
  force: z.string().optional(),
  only: z.array(z.string()).optional(),
});

interface ImportRequest {
  readonly source: SkillImportSource;
  readonly options: SkillImportOptions;
}

/**
 * Reads what a client wants imported and hands it to `use`. A file goes to the disk as it arrives, and is gone
 * afterwards. Throws `request_invalid`, `body_too_large`.
 */
export async function withImportRequest<T>(
  request: Request,
  maxJsonBytes: number,
  use: (request: ImportRequest) => Promise<T>,
): Promise<T> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) {
    if (type !== '' && !isJsonContentType(type))
      throw new ToolcribError(
        'request_invalid',
        'A file must be sent as the field "file" of multipart/form-data, a URL as application/json.',
      );
    const body = checked(IMPORT_REQUEST, await readJson(request, maxJsonBytes), 'body');
    const { url, ...options } = body as z.infer<typeof IMPORT_REQUEST>;
    return use({ source: { kind: 'url', url }, options: options as SkillImportOptions });
  }
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-upload-'));
  try {
    return await use(await readUpload(request, join(folder, 'upload')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readUpload(request: Request, path: string): Promise<ImportRequest> {
  const fields = new Map<string, string[]>();
  let hasFile = false;
  await readForm(request, MAX_UPLOAD_BYTES, async (part) => {
    if (part.filename === undefined) {
      fields.set(part.name, [...(fields.get(part.name) ?? []), await fieldOf(part)]);
    } else if (part.name === 'file' && !hasFile) {
      hasFile = true;
      await using handle = await open(path, 'wx', 0o600);
      for await (const piece of part.content) await handle.writeFile(piece);
    } else throw new ToolcribError('request_invalid', 'The form has one file, and it is called "file".');
  });
  const [url, ...more] = fields.get('url') ?? [];
  if (hasFile === (url !== undefined) || more.length > 0)
    throw new ToolcribError('request_invalid', 'The form has either a file or one url.');
  const only = fields.get('only');
  const stated = {
    url: url ?? 'file',
    force: /^(?:1|true|on|yes)$/i.test(fields.get('force')?.at(-1) ?? ''),
    ...(only === undefined ? {} : { only }),
  };
  const { url: _url, ...options } = checked(IMPORT_REQUEST, stated, 'body') as z.infer<typeof IMPORT_REQUEST>;
  return {
    source: url === undefined ? { kind: 'path', path } : { kind: 'url', url },
    options: options as SkillImportOptions,
  };
}

async function fieldOf({ name, content }: FormPart): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > MAX_FIELD_BYTES)
      throw new ToolcribError('request_invalid', `The field "${name.slice(0, 40)}" is too long.`);
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString('utf8');
}
