import { type ArtifactStore, artifactIdOf } from '../artifacts/index.ts';
import { ToolcribError } from '../errors.ts';
import type { ResourceRead } from '../gateway-core.ts';
import { decodeText, unreadableAs } from '../results/decode-text.ts';
import { isBinaryType } from '../results/media-type.ts';

/** A message of MCP stands in memory whole, several times over: what is larger is got as a file. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A stored output as an MCP resource. Throws `resource_unknown`, `artifact_too_large`, and what the store throws. */
export async function readArtifact(uri: string, artifacts: ArtifactStore): Promise<ResourceRead> {
  const id = artifactIdOf(uri);
  const opened = id === undefined ? undefined : await artifacts.open(id);
  if (opened !== undefined && opened.size > MOST_BYTES)
    throw new ToolcribError(
      'artifact_too_large',
      `Artifact ${opened.id} has ${opened.size} bytes; over MCP up to ${MOST_BYTES} are read.`,
      { details: { uri, size: opened.size } },
    );
  const artifact = opened === undefined ? undefined : await artifacts.get(opened.id);
  if (artifact === undefined) {
    throw new ToolcribError(
      'resource_unknown',
      `There is no artifact ${uri.slice(0, 200)}; it may have expired.`,
      {
        details: { uri },
      },
    );
  }
  const { mimeType, bytes } = artifact;
  const text = isBinaryType(mimeType) ? undefined : decodeText(bytes, mimeType);
  const isReadable = text !== undefined && unreadableAs(bytes, mimeType, text) === undefined;
  const contents = isReadable ? { mimeType, text } : { mimeType, blob: base64(bytes) };
  return { kind: 'resource', uri, contents };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
