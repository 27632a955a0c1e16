import type { OpenedArtifact } from '../../../../artifacts/index.ts';
import { attachmentNamed } from '../../../../operations/http/attachment-disposition.ts';
import { allowsRange, matchesTag, readRange } from './byte-range.ts';

const MEDIA_TYPE = /^[a-z]+\/[\w.+-]{1,80}$/i;

/**
 * An artifact over HTTP: whole, one range, or not at all where the client has it. Always as a download: what a
 * service answered is never shown as a page of ours. Only what is sent is read. Rejects where its bytes are gone.
 */
export async function artifactResponse(
  artifact: OpenedArtifact,
  { method, headers: asked }: Request,
): Promise<Response> {
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
  if (method === 'HEAD') {
    const end = size === 0 ? undefined : { first: size - 1, last: size - 1 };
    await (await begun(artifact.stream(end))).cancel();
    return new Response(null, { headers });
  }
  const body = await begun(artifact.stream(range));
  return new Response(body, { status: range === undefined ? 200 : 206, headers });
}

/** The same stream once its first part is there: what cannot be read fails before the answer has begun. */
async function begun(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader();
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = first ?? (await reader.read());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
