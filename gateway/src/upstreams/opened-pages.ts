import { type CallChannel, isObject } from '../operations/index.ts';

/** Who was asked to open which page of one server, so that they hear when it is done with (MCP 2025-11-25). */
export interface OpenedPages {
  /** What is asked for a caller; everything but pages with an id is passed over. */
  asked(params: unknown, channel: CallChannel): void;
  /** The server says that a page is done with: told once, and nobody where it is not known. */
  done(elicitationId: unknown): void;
}

/** Pages that are remembered, the latest, and characters of an id. */
const MOST_PAGES = 256;
const MAX_ID = 512;

export function createOpenedPages(): OpenedPages {
  const tellers = new Map<string, NonNullable<CallChannel['pageDone']>>();
  return {
    asked(params, { pageDone }) {
      const id = isObject(params) && params['mode'] === 'url' ? params['elicitationId'] : undefined;
      if (pageDone === undefined || typeof id !== 'string' || id.length > MAX_ID) return;
      tellers.delete(id);
      tellers.set(id, pageDone);
      const [oldest] = tellers.keys();
      if (tellers.size > MOST_PAGES) tellers.delete(oldest!);
    },
    done(elicitationId) {
      const id = String(elicitationId);
      tellers
        .get(id)?.(id)
        .catch(() => undefined);
      tellers.delete(id);
    },
  };
}
