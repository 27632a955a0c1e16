import { type HarmlessTexts, redactWith } from './redact.ts';
import { createSecretSearch, type SecretSearch } from './secret-search.ts';

/** Knows the secrets that this process has used, and takes them out of whatever is written down. */
export interface Redactor {
  /** Shorter ones than four characters are left out: hiding them would make every text unreadable. */
  add(secret: string): void;
  redact<T>(payload: T): T;
}

export interface RedactorOptions {
  /** Secrets remembered; the one used longest ago is forgotten first. */
  readonly capacity?: number;
}

const SHORTEST_SECRET = 4;

export function createRedactor({ capacity = 500 }: RedactorOptions = {}): Redactor {
  const secrets = new Set<string>();
  let search: SecretSearch = createSecretSearch([]);
  let harmless = createHarmlessTexts();
  let current = true;
  return {
    add(secret) {
      if (secret.length < SHORTEST_SECRET) return;
      if (secrets.delete(secret)) {
        secrets.add(secret);
        return;
      }
      secrets.add(secret);
      if (secrets.size > capacity) secrets.delete(secrets.values().next().value!);
      current = false;
    },
    redact(payload) {
      if (!current) {
        search = createSecretSearch(secrets);
        harmless = createHarmlessTexts();
        current = true;
      }
      return redactWith(payload, search, harmless);
    },
  };
}

/** Forgets all when there are too many. */
function createHarmlessTexts(most = 2000): HarmlessTexts {
  const texts = new Set<string>();
  return {
    has: (text) => texts.has(text),
    add(text) {
      if (texts.size >= most) texts.clear();
      return texts.add(text);
    },
  };
}
