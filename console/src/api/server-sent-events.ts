/** One frame of a stream, https://html.spec.whatwg.org/multipage/server-sent-events.html. */
interface Frame {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** Characters of one frame; a longer one is no event of ours. */
const MOST = 4_000_000;

/** Reads frames from the chunks of a response. Comments count as a sign of life only. */
export class FrameReader {
  #rest = '';

  /** The whole frames that this chunk ends. Throws RangeError when one is far too long. */
  read(chunk: string): readonly Frame[] {
    const blocks = (this.#rest + chunk.replaceAll('\r\n', '\n')).split('\n\n');
    this.#rest = blocks.pop()!;
    if (this.#rest.length > MOST) throw new RangeError('A frame of the event stream is too long.');
    return blocks.map(frameOf).filter((frame) => frame !== undefined);
  }
}

function frameOf(block: string): Frame | undefined {
  let id: string | undefined;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    const name = line.slice(0, colon);
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  if (data.length === 0) return undefined;
  return { ...(id === undefined ? {} : { id }), event, data: data.join('\n') };
}
