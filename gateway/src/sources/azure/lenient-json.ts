/** A text that does not end goes to the end: nothing is looked at twice. */
const STRING_OR_COMMENT = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const STRING_OR_COMMA = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|,(?=\s*[\]}])/g;

/**
 * JSON text without what strict readers refuse and people write: a byte order mark, comments, commas before a closing
 * bracket. What stands in strings is left as it is.
 */
export function strictJsonText(text: string): string {
  const keepStrings = (found: string): string => (found.startsWith('"') ? found : '');
  return text
    .replace(/^\uFEFF/, '')
    .replace(STRING_OR_COMMENT, keepStrings)
    .replace(STRING_OR_COMMA, keepStrings);
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const TEXT = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)/g;

/**
 * JSON as connectors write it: beside what `strictJsonText` takes out, line breaks and tabs within texts are taken.
 * Anything else that is no JSON throws the SyntaxError of JSON.parse.
 */
export function parseLenientJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const strict = strictJsonText(text);
    return JSON.parse(strict.replace(TEXT, (found) => found.replace(/[\n\r\t]/g, (one) => ESCAPES[one]!)));
  }
}
