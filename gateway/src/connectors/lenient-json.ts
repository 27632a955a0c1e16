import { strictJsonText } from '../sources/azure/lenient-json.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const TEXT = /"(?:[^"\\]|\\[\s\S])*"/g;

/**
 * JSON as connectors write it: a byte order mark, comments, commas before a closing bracket, and line breaks and tabs
 * within texts are taken. Anything else that is no JSON throws the SyntaxError of JSON.parse.
 */
export function parseLenientJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const strict = strictJsonText(text);
    return JSON.parse(strict.replace(TEXT, (found) => found.replace(/[\n\r\t]/g, (one) => ESCAPES[one]!)));
  }
}
