import type { Answer } from '../loopback-service.ts';

export function json(status: number, body: unknown): Answer {
  return { status, body };
}

export const NO_CONTENT: Answer = Object.freeze({ status: 204 });

/** Bytes that are no text, always the same for one name. */
export function download(fileName: string, size = 4096): Answer {
  const body = Buffer.alloc(size);
  for (let index = 0; index < size; index++) body[index] = (index * 31 + fileName.length) % 256;
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${fileName}"`,
    },
    body,
  };
}

export const UNAUTHORIZED = json(401, { error: 'Unauthorized', message: 'Invalid or expired token' });
export const FORBIDDEN = json(403, { error: 'Forbidden', message: 'Missing permission' });
export const NOT_FOUND = json(404, { error: 'Not found', message: 'No such resource' });

export function badRequest(message: string): Answer {
  return json(400, { error: 'Bad request', message });
}
