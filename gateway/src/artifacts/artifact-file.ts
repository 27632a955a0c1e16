export interface ArtifactDescription {
  readonly mimeType: string;
  /** A file name for people; never a path. */
  readonly name: string;
  /** Whose call it came from; absent: the operator's. */
  readonly owner?: string;
}

/** An artifact in one file, so that one rename publishes it: a line of JSON about it, then its bytes. */
export function encodeArtifact(bytes: Uint8Array, { mimeType, name, owner }: ArtifactDescription): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ mimeType, name, owner })}\n`), bytes]);
}

/** Undefined for a file that is none of ours. */
export function decodeArtifact(content: Buffer): (ArtifactDescription & { bytes: Uint8Array }) | undefined {
  const end = content.indexOf(0x0a);
  if (end < 0) return undefined;
  try {
    const { mimeType, name, owner } = JSON.parse(content.toString('utf8', 0, end));
    if (typeof mimeType !== 'string' || typeof name !== 'string') return undefined;
    const whose = owner === undefined ? {} : { owner: String(owner) };
    return { mimeType, name, ...whose, bytes: content.subarray(end + 1) };
  } catch {
    return undefined;
  }
}
