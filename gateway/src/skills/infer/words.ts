/** Most characters of a proposed name. */
export const MAX_NAME = 60;
const MAX_DESCRIPTION = 500;

/** A name of a schema or a tool out of what a script calls something; never empty. */
export function nameOf(text: string): string {
  const name = text
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^_+/g, '')
    .slice(0, MAX_NAME);
  const whole = name.endsWith('_') ? name.slice(0, -1) : name;
  return whole === '' ? 'value' : whole;
}

/** The first paragraph, on one line. */
export function summary(text: string | undefined): string | undefined {
  const paragraph: string[] = [];
  for (const raw of (text ?? '').split('\n', 60)) {
    const line = raw.trim();
    if (
      /^(?:usage|example|args|arguments|options|returns)\b.{0,3}:?/i.test(line) &&
      (line.endsWith(':') || /^usage\b/i.test(line))
    )
      break;
    if (line === '' && paragraph.length > 0) break;
    if (line !== '') paragraph.push(line);
  }
  const joined = paragraph
    .join(' ')
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, ' ')
    .trim();
  if (joined === '') return undefined;
  return joined.length <= MAX_DESCRIPTION ? joined : `${joined.slice(0, MAX_DESCRIPTION - 1)}…`;
}

/** What is left of the arguments of a script, by the name of its variable where that says something. */
export function nameOfRest(variable: string): string {
  return /^(?:arg|args|argv|rest|params|parameters)$/i.test(variable) ? 'arguments' : variable;
}
