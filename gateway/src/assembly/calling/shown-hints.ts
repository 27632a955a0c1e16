/** Which hints a conversation has seen. */
export interface ShownHints {
  /** True the first time within 30 minutes that this conversation is shown the hints of an operation. */
  first(conversation: string, operation: string): boolean;
}

const REMEMBERED_MS = 30 * 60_000;
const MAX_CONVERSATIONS = 1000;
const MAX_OPERATIONS = 5000;

/** In memory, by conversation: one principal and its client; nobody learns what another was shown. */
export function createShownHints(now: () => number = Date.now): ShownHints {
  /** Least recently used first. */
  const conversations = new Map<string, Map<string, number>>();
  return {
    first(conversation, operation) {
      const shown = conversations.get(conversation) ?? new Map<string, number>();
      conversations.delete(conversation);
      conversations.set(conversation, shown);
      if (conversations.size > MAX_CONVERSATIONS) conversations.delete(conversations.keys().next().value!);
      const ends = shown.get(operation);
      if (ends !== undefined && ends > now()) return false;
      shown.delete(operation);
      shown.set(operation, now() + REMEMBERED_MS);
      if (shown.size > MAX_OPERATIONS) shown.delete(shown.keys().next().value!);
      return true;
    },
  };
}
