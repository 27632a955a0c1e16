import { isTyping } from '../components/is-typing.ts';

const KEY = 'toolcrib-single-keys';

/** Whether a letter alone acts on a page; off, where somebody speaks to this browser or presses keys by accident. */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Kept in this browser (WCAG 2.2, 2.1.4: they can be turned off). */
export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // closed storage: they stay on
  }
}

/** A key that is meant for the page: nobody types, no dialog is open, nothing has taken it before. */
export function isPageKey(event: KeyboardEvent): boolean {
  return (
    !(event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) &&
    !isTyping(event.target) &&
    document.querySelector('dialog[open]') === null &&
    areSingleKeysOn()
  );
}
