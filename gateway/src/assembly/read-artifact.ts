import { type ArtifactStore, artifactIdOf } from '../artifacts/index.ts';
import { ToolcribError } from '../errors.ts';
import type { ResourceRead } from '../gateway-core.ts';
import { isBinaryType } from '../results/media-type.ts';

/** A stored output as an MCP resource. Throws `resource_unknown`. */
export async function readArtifact(uri: string, artifacts: ArtifactStore): Promise<ResourceRead> {
  const id = artifactIdOf(uri);
  const artifact = id === undefined ? undefined : await artifacts.get(id);
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
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const contents = !isBinaryType(mimeType)
    ? { mimeType, text: buffer.toString('utf8') }
    : { mimeType, blob: buffer.toString('base64') };
  return { kind: 'resource', uri, contents };
}
