/** Milliseconds a call, `width` at once. */
export async function timed(count, width, call) {
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return (performance.now() - started) / count;
}
