import type { FileHandle } from 'node:fs/promises';
import type { ArtifactDescription } from './artifact.ts';

/** What stands in the first line of an artifact's file. */
export interface FileHead extends ArtifactDescription {
  /** Absent in files of older versions. */
  readonly hash?: string;
  /** Where the bytes begin. */
  readonly offset: number;
}

/** Longer first lines are none of ours. */
const MAX_HEAD = 65_536;

/** The line before the bytes, so that one rename publishes both. */
export function encodeHead({ mimeType, name, owner, operation }: ArtifactDescription, hash: string): Buffer {
  return Buffer.from(`${JSON.stringify({ mimeType, name, owner, operation, hash })}\n`);
}

/** Undefined for a file that is none of ours. */
export async function readHead(file: FileHandle): Promise<FileHead | undefined> {
  let head = Buffer.alloc(0);
  while (head.length < MAX_HEAD) {
    const chunk = Buffer.alloc(1024);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, head.length);
    if (bytesRead === 0) return undefined;
    head = Buffer.concat([head, chunk.subarray(0, bytesRead)]);
    const end = head.indexOf(0x0a);
    if (end >= 0) return decodeHead(head.toString('utf8', 0, end), end + 1);
  }
  return undefined;
}

function decodeHead(line: string, offset: number): FileHead | undefined {
  try {
    const { mimeType, name, owner, operation, hash } = JSON.parse(line);
    if (typeof mimeType !== 'string' || typeof name !== 'string') return undefined;
    return {
      mimeType,
      name,
      ...(owner === undefined ? {} : { owner: String(owner) }),
      ...(operation === undefined ? {} : { operation: String(operation) }),
      ...(typeof hash === 'string' ? { hash } : {}),
      offset,
    };
  } catch {
    return undefined;
  }
}
