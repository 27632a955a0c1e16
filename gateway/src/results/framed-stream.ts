import { decodeUtf8 } from './decode-text.ts';

/** Kind (0 to 2: input, output, errors), three zeros, length of what follows as four bytes, big-endian. */
const HEADER_BYTES = 8;
const LAST_KIND = 2;

const TYPE = /^application\/vnd\.docker\.(multiplexed|raw)-stream$/;

/**
 * What the programs of a container wrote, without the frames by which Docker and Podman tell its outputs apart (Engine
 * API, "Attach to a container", stream format). They say no type, or one of theirs, which a terminal's plain text has,
 * too. Undefined where the bytes are neither.
 */
export function containerOutput(body: Uint8Array, type: string): Uint8Array | undefined {
  if (!mayBeFramed(type)) return undefined;
  const contents: Uint8Array[] = [];
  const end = readFrames(body, (content) => contents.push(content));
  const output = end > 0 && end === body.length ? Buffer.concat(contents) : body;
  return output.length > 0 && decodeUtf8(output) !== undefined ? output : undefined;
}

/** The frames that came whole; undefined where there is none. */
export function wholeFrames(body: Uint8Array, type: string): Uint8Array | undefined {
  const end = mayBeFramed(type) ? readFrames(body, () => {}) : 0;
  return end > 0 ? body.subarray(0, end) : undefined;
}

function mayBeFramed(type: string): boolean {
  return type === '' || TYPE.test(type);
}

/** Where the last whole frame ends. */
function readFrames(body: Uint8Array, found: (content: Uint8Array) => void): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let end = 0;
  while (end + HEADER_BYTES <= body.length) {
    const head = view.getUint32(end);
    const next = end + HEADER_BYTES + view.getUint32(end + 4);
    const isFrame = (head & 0x00ffffff) === 0 && head >>> 24 <= LAST_KIND;
    if (!isFrame || next > body.length) break;
    found(body.subarray(end + HEADER_BYTES, next));
    end = next;
  }
  return end;
}
