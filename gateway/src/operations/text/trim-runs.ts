/** Without these characters at its end. A pattern such as /_+$/ begins anew at each of them in a text that goes on. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Without these characters at either end. */
export function trimEndsOf(text: string, characters: string): string {
  const left = trimEndOf(text, characters);
  let begin = 0;
  while (begin < left.length && characters.includes(left[begin]!)) begin++;
  return left.slice(begin);
}

/** Without blanks at the ends of lines. */
export function trimLineEnds(text: string): string {
  return text.replace(/(?<![ \t])[ \t]+$/gm, '');
}
