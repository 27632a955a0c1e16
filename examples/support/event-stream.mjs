// The gateway's event stream as it comes: Server-Sent Events, one JSON object each.

/** Opens the stream; `next` gives the first event that fits, and waits for it. */
export async function eventsOf(url, headers) {
  const stop = new AbortController();
  const response = await fetch(url, {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: stop.signal,
  });
  if (response.status !== 200) throw new Error(`The stream answered ${response.status}`);
  // read from now on: the stream of a response that nobody holds or reads is closed by the garbage collection
  const events = parse(response.body.pipeThrough(new TextDecoderStream()));
  return {
    async next(fits) {
      for (let step = await events.next(); !step.done; step = await events.next())
        if (fits(step.value)) return step.value;
      throw new Error('The stream ended');
    },
    close: () => stop.abort(),
  };
}

async function* parse(texts) {
  let rest = '';
  for await (const text of texts) {
    const frames = `${rest}${text}`.split('\n\n');
    rest = frames.pop();
    for (const frame of frames) {
      const data = frame.split('\n').filter((line) => line.startsWith('data:'));
      if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(5)).join('\n'));
    }
  }
}
