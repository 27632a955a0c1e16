/** A key that is pressed here is text or an option, no command. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable="true"]');
}
