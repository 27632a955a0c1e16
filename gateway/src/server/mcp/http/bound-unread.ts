/** Bytes of notices that a client may leave unread: as much as a session replays. */
const MOST_UNREAD = 1024 * 1024;

/** The same stream, which ends once its reader leaves too much unread: a client that wakes up listens anew. */
export function boundUnread(
  body: ReadableStream<Uint8Array>,
  mostUnread: number = MOST_UNREAD,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (!done) controller.enqueue(value);
      if (!done && (controller.desiredSize ?? 0) >= 0) continue;
      controller.close();
      return reader.cancel(new Error('The client left too much unread.'));
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        pump(controller).catch((error: unknown) => {
          controller.error(error);
          reader.cancel(error).catch(() => undefined);
        });
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
  );
}
