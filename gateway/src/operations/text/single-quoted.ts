/** As one word for a POSIX shell, whatever it holds. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
