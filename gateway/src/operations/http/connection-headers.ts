/**
 * Framing and the connection are the door's, whatever a document or a configuration says (RFC 9110 §7.2, §7.6.1;
 * RFC 9112 §6): who could set them could smuggle a request. Lower case.
 */
export const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'proxy-connection'],
  ...['proxy-authorization', 'te', 'trailer', 'upgrade', 'expect', 'http2-settings'],
]);

/** Whether a header of this name is not the operator's to set. */
export function isOfConnection(name: string): boolean {
  const lower = name.toLowerCase();
  return OF_CONNECTION.has(lower) || lower.startsWith('proxy-');
}
