const NAME = 'toolcrib-session';

/** Tells the other tabs of this browser that somebody signed in or out here: not who, nor anything of it. */
export function tellSessionChanged(): void {
  if (!('BroadcastChannel' in globalThis)) return;
  const channel = new BroadcastChannel(NAME);
  channel.postMessage('changed');
  channel.close();
}

/** Told when another tab signed in or out, or may have done so while this one was put aside. */
export function onSessionChanged(listener: () => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  let channel: BroadcastChannel | undefined;
  const close = () => channel?.close();
  const open = () => {
    close();
    if (!('BroadcastChannel' in globalThis)) return;
    channel = new BroadcastChannel(NAME);
    channel.onmessage = listener;
  };
  open();
  addEventListener('pagehide', close, { signal });
  addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (!persisted) return;
      open();
      listener();
    },
    { signal },
  );
  return () => {
    over.abort();
    close();
  };
}
