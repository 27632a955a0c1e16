import { cleanText } from '../../operations/text/clean-text.ts';
import { cutText } from '../../operations/text/cut-text.ts';

/** Characters of a line, and lines of a run: what a script says meanwhile is no second answer. */
const LONGEST_LINE = 200;
const MOST_LINES = 100;
/** Of a line that has not ended; what follows is skipped up to its end. */
const MOST_BYTES = 4 * LONGEST_LINE;
const NEWLINE = 0x0a;

/** Gives each line of a byte stream as one clean line of text, the first hundred that say anything. */
export interface StderrLines {
  push(chunk: Buffer): void;
  /** The last line, where nothing ends it. */
  end(): void;
}

export function readLines(
  onLine: (line: string) => void,
  conceal: (text: string) => string = (text) => text,
): StderrLines {
  let told = 0;
  let held: Buffer[] = [];
  let length = 0;
  const hold = (bytes: Buffer) => {
    if (length >= MOST_BYTES || bytes.length === 0) return;
    // a copy: a slice would keep the whole chunk
    const part = Buffer.from(bytes.subarray(0, MOST_BYTES - length));
    held.push(part);
    length += part.length;
  };
  const tell = () => {
    const text = new TextDecoder().decode(Buffer.concat(held), { stream: length >= MOST_BYTES });
    held = [];
    length = 0;
    const line = cutText(cleanText(conceal(text)).text.replace(/\s+/g, ' ').trim(), LONGEST_LINE);
    if (line === '') return;
    told++;
    onLine(line);
  };
  return {
    push(chunk) {
      let start = 0;
      while (told < MOST_LINES) {
        const end = chunk.indexOf(NEWLINE, start);
        if (end === -1) return hold(chunk.subarray(start));
        hold(chunk.subarray(start, end));
        tell();
        start = end + 1;
      }
    },
    end() {
      if (length > 0 && told < MOST_LINES) tell();
    },
  };
}
