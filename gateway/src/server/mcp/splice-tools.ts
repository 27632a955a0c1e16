/**
 * Puts a page of tools, as text that was made once, where the SDK has written an empty list: thousands of tools
 * are not serialised again for every client. Inside a JSON string the quotes would be escaped, so nothing else fits.
 */
export function spliceTools(message: string, page: string): string {
  return message.replace('"tools":[]', () => `"tools":${page}`);
}
