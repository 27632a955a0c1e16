import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { readJson } from '../../operations/json/read-json.ts';

/** Lines that are no message and may follow one another: a banner, a stack trace, an object that was printed. */
const TOLERATED_LINES = 1_000;

/** Tells messages of a stdio server from what it should have written to stderr. */
export interface MessageReader {
  /** The message, or undefined for a line that is passed over; a text says why the stream is unusable. */
  read(line: string): JSONRPCMessage | string | undefined;
  /** Lines passed over so far. */
  readonly strayLines: number;
}

export function createMessageReader(): MessageReader {
  let stray = 0;
  let inRow = 0;
  const passOver = (line: string): string | undefined => {
    stray += 1;
    inRow += 1;
    if (line.includes('"jsonrpc"')) return 'a message on stdout is cut or mixed with other output';
    if (/[\u0000\ufffd]/.test(line)) return 'stdout holds bytes that are no text';
    return inRow > TOLERATED_LINES ? `${inRow} lines in a row on stdout are no MCP messages` : undefined;
  };
  return {
    read(line) {
      if (line === '' || line.trim() === '') return undefined;
      const value = readJson(line);
      if (!isMessage(value)) return passOver(line);
      inRow = 0;
      return value;
    },
    get strayLines() {
      return stray;
    },
  };
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value) || value.jsonrpc !== '2.0')
    return false;
  // an error has no id where the server could not read which request it answers (2025-11-25)
  return 'method' in value || 'error' in value || ('id' in value && 'result' in value);
}
