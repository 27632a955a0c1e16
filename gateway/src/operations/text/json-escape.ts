/** A character of any text as JSON writes it without showing it (RFC 8259 §7): an escape for each UTF-16 unit. */
export function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
