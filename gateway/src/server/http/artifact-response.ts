import type { OpenedArtifact } from '../../artifacts/index.ts';
import { attachmentNamed } from '../../operations/attachment-disposition.ts';
import { allowsRange, matchesTag, readRange } from './byte-range.ts';

const MEDIA_TYPE = /^[a-z]+\/[\w.+-]{1,80}$/i;

/**
 * An artifact over HTTP: whole, one range, or not at all where the client has it. Always as a download: what a
 * service answered is never shown as a page of ours. Only what is sent is read.
 */
export function artifactResponse(artifact: OpenedArtifact, { method, headers: asked }: Request): Response {
  const { mimeType, size, hash } = artifact;
  const tag = `"${hash}"`;
  const headers = new Headers({
    etag: tag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-type': MEDIA_TYPE.test(mimeType) ? mimeType : 'application/octet-stream',
    'content-disposition': attachmentNamed(artifact.name || 'artifact'),
    'last-modified': new Date(artifact.createdAt).toUTCString(),
  });
  if (matchesTag(asked.get('if-none-match'), tag)) return new Response(null, { status: 304, headers });
  // a Range counts for GET alone (RFC 9110 §14.2)
  const ranged = method === 'GET' && allowsRange(asked.get('if-range'), tag);
  const range = ranged ? readRange(asked.get('range'), size) : undefined;
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set('content-length', String(range === undefined ? size : range.last - range.first + 1));
  if (range !== undefined) headers.set('content-range', `bytes ${range.first}-${range.last}/${size}`);
  const body = method === 'HEAD' ? null : artifact.stream(range);
  return new Response(body, { status: range === undefined ? 200 : 206, headers });
}
