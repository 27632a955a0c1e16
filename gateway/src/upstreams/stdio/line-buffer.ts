const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cuts a byte stream into lines of UTF-8; keeps at most one unfinished line. */
export interface LineBuffer {
  /** Gives every line that the chunk completes; false when a line is longer than allowed. */
  push(chunk: Buffer, onLine: (line: string) => void): boolean;
}

/** @param maxBytes longest line, without its end */
export function createLineBuffer(maxBytes: number): LineBuffer {
  let parts: Buffer[] = [];
  let held = 0;
  return {
    push(chunk, onLine) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        if (held + end - start > maxBytes) return false;
        if (held === 0) onLine(textOf(chunk, start, end));
        else {
          const line = Buffer.concat([...parts, chunk.subarray(start, end)]);
          parts = [];
          held = 0;
          onLine(textOf(line, 0, line.length));
        }
        start = end + 1;
      }
      if (start === chunk.length) return true;
      held += chunk.length - start;
      if (held > maxBytes) return false;
      parts.push(chunk.subarray(start));
      return true;
    },
  };
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
}
