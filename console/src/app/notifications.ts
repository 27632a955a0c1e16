import { useSyncExternalStore } from 'react';

/** `unsupported`: this browser has none; `blocked`: the person refused them in the browser. */
export type Notifying = 'unsupported' | 'blocked' | 'off' | 'on';

const KEY = 'toolcrib-notifications';
const listeners = new Set<() => void>();

/** Whether approvals are announced on the desktop. Chosen in this browser, permitted by it. */
export function useNotifying(): Notifying {
  return useSyncExternalStore(watch, notifying);
}

function notifying(): Notifying {
  if (!('Notification' in globalThis)) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && isWanted() ? 'on' : 'off';
}

/** Asks the browser's permission where it is not given: only ever after a click. */
export async function turnNotificationsOn(): Promise<void> {
  if (!('Notification' in globalThis)) return;
  if (Notification.permission === 'default') await Notification.requestPermission();
  write('on');
}

export function turnNotificationsOff(): void {
  write('off');
}

/** Of one thing at a time: a second one with the same tag takes the place of the first. */
export function notify(
  title: string,
  { body, tag, onOpen }: { readonly body: string; readonly tag: string; readonly onOpen: () => void },
): void {
  if (notifying() !== 'on') return;
  const shown = new Notification(title, { body, tag, icon: '/icon.svg' });
  shown.addEventListener('click', () => {
    shown.close();
    window.focus();
    onOpen();
  });
}

function isWanted(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    return false;
  }
}

function write(wanted: 'on' | 'off'): void {
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // closed storage: there are none
  }
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
