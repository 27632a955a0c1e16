/**
 * Puts a page of tools, as bytes that were made once, where the SDK has written an empty list: thousands of tools
 * are not serialised again for every client. Inside a JSON string the quotes would be escaped, so nothing else fits.
 */
export function spliceTools(message: string, page: readonly Uint8Array[]): Uint8Array[] {
  const at = message.indexOf(EMPTY_LIST);
  if (at === -1) return [Buffer.from(message)];
  const list = at + EMPTY_LIST.length - '[]'.length;
  return [Buffer.from(message.slice(0, list)), ...page, Buffer.from(message.slice(list + '[]'.length))];
}

const EMPTY_LIST = '"tools":[]';
