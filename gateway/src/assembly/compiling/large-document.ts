/** Documents above this are compiled in a process of their own, whose memory goes with it. Bytes. */
export const LARGE_DOCUMENT_BYTES = 512 * 1024;
