/** What `toolcrib new` writes: text by path below the folder. */
export type Template = (name: string) => Readonly<Record<string, string>>;

/** `word_count` in words: `Word count`. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
