import type { Layer } from '../compose.ts';

/** One deadline for the whole call: everything below sees a signal that ends with it. */
export const deadlineLayer: Layer = async (call, next) => {
  const controller = new AbortController();
  const onAbort = () => controller.abort(call.signal.reason);
  if (call.signal.aborted) onAbort();
  else call.signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => controller.abort(new DOMException('The deadline of the call passed.', 'TimeoutError')),
    Math.max(0, call.deadline - Date.now()),
  );
  try {
    return await next({ ...call, signal: controller.signal });
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', onAbort);
  }
};
