/** Percent-decoded; what is not encoded rightly stays as it is written. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
