const STRING_OR_COMMENT = /"(?:[^"\\]|\\[\s\S])*(?:"|$)|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const STRING_OR_COMMA = /"(?:[^"\\]|\\[\s\S])*(?:"|$)|,(?=\s*[\]}])/g;

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
