import { giveWay } from './session-holder.ts';
import type { SessionLimits, SessionRecord, SessionRecords } from './session-record.ts';

/** A browser that comes without its cookie makes a new one; the oldest give way. */
const MOST_KEPT = 1_000;

/** Sessions of one process, where there is no store; they end with it. */
export function createMemorySessions(): SessionRecords {
  const records = new Map<string, SessionRecord>();
  return {
    async insert(record, limits) {
      for (const [id, kept] of records) if (!lasts(kept, limits)) records.delete(id);
      for (const id of giveWay([...records.values()], record)) records.delete(id);
      while (records.size >= MOST_KEPT) records.delete(records.keys().next().value!);
      records.set(record.id, record);
    },
    async get(id, limits) {
      const record = records.get(id);
      return record !== undefined && lasts(record, limits) ? record : undefined;
    },
    async list(limits) {
      const open = [...records.values()].filter((record) => lasts(record, limits));
      return open.sort((a, b) => b.usedAt - a.usedAt);
    },
    async use(id, at) {
      const record = records.get(id);
      if (record !== undefined && record.usedAt < at) records.set(id, { ...record, usedAt: at });
    },
    remove: async (id) => records.delete(id),
  };
}

function lasts({ createdAt, usedAt }: SessionRecord, { createdAfter, usedAfter }: SessionLimits): boolean {
  return createdAt > createdAfter && usedAt > usedAfter;
}
