import { randomBytes } from 'node:crypto';
import type { StandingApproval } from '../operations/index.ts';
import {
  type ApprovalRecords,
  type ApprovalScope,
  isSameSkill,
  PAUSE_MS,
  type SkillKey,
  type StoredApproval,
  skillKeyOf,
} from './records.ts';

const MOST_KEPT = 10_000;

/** Approvals of one process, where there is no store. The same rules; everything is gone when it ends. */
export function createMemoryRecords(): ApprovalRecords {
  const approvals = new Map<string, StoredApproval>();
  const standing = new Map<string, StandingApproval>();
  const keys = new Map<string, Uint8Array>();
  const listeners = new Set<() => void>();
  const tellAll = () => {
    for (const listener of [...listeners]) listener();
  };
  const change = (
    id: string,
    applies: (approval: StoredApproval) => boolean,
    next: (approval: StoredApproval) => StoredApproval,
  ): StoredApproval | undefined => {
    const approval = approvals.get(id);
    if (approval === undefined || !applies(approval)) return undefined;
    const changed = Object.freeze(next(approval));
    approvals.set(id, changed);
    tellAll();
    return changed;
  };
  const newestFirst = () => [...approvals.values()].reverse();
  const agreements = (key: SkillKey) =>
    [...standing.values()].reverse().filter((one) => isSameSkill(skillKeyOf(one), key));
  const forget = (key: SkillKey | undefined) => {
    for (const { id } of key === undefined ? [] : agreements(key)) standing.delete(id);
  };
  return {
    async insert(approval) {
      approvals.set(approval.id, Object.freeze({ ...approval }));
      if (approvals.size > MOST_KEPT) approvals.delete(approvals.keys().next().value!);
      tellAll();
    },
    get: async (id) => approvals.get(id),
    list: async (filter) =>
      [...approvals.values()]
        .filter(
          (one) =>
            fits(one, filter) &&
            (filter.tool === undefined || one.tool === filter.tool) &&
            (filter.source === undefined || one.source === filter.source) &&
            (filter.states?.includes(one.state) ?? true) &&
            (filter.behind === undefined || isBehind(one, filter.behind)),
        )
        .sort((a, b) => (isBehind(a, b) ? 1 : -1))
        .slice(0, filter.limit),
    countPending: async (whose, now) =>
      [...approvals.values()].filter(
        (one) => one.state === 'pending' && one.expiresAt > now && fits(one, whose),
      ).length,
    findFor: async (key, since) =>
      newestFirst().filter(
        (one) =>
          one.createdAt > since &&
          one.principal === key.principal &&
          one.organisation === key.organisation &&
          one.run === key.run &&
          one.tool === key.tool &&
          one.source === key.source &&
          one.operation === key.operation &&
          one.argumentsHash === key.argumentsHash &&
          (isOpen(one) || (['denied', 'expired', 'stale'].includes(one.state) && one.toldAt === undefined)),
      ),
    async decide(id, { at, by, ...rest }, given) {
      const decided = change(
        id,
        ({ state, expiresAt }) => state === 'pending' && expiresAt > at,
        (one) => ({ ...one, ...rest, decidedAt: at, decidedBy: by }),
      );
      if (decided !== undefined && given !== undefined) {
        forget(skillKeyOf(given));
        standing.set(given.id, Object.freeze(given));
      }
      return decided;
    },
    use: async (id, call, now) =>
      change(
        id,
        ({ state, expiresAt }) => state === 'approved' && expiresAt > now,
        (one) => ({ ...one, state: 'executing', usedBy: call }),
      ),
    goOn: async (id, round, call) =>
      change(
        id,
        ({ state, rounds }) => state === 'executing' && rounds === round,
        (one) => ({ ...one, rounds: round + 1, usedBy: call }),
      ),
    pause: async (id) =>
      change(
        id,
        ({ state }) => state === 'executing',
        ({ usedBy: _call, ...one }) => one,
      ),
    finish: async (id, state) =>
      change(
        id,
        (one) => one.state === 'executing',
        ({ edited: _edited, ...one }) => ({ ...one, state }),
      ),
    end: async (id, from, state) =>
      change(
        id,
        (one) => from.includes(one.state),
        ({ edited: _edited, ...one }) => ({ ...one, state }),
      ),
    async tell(id, now) {
      const one = approvals.get(id);
      if (one === undefined || one.toldAt !== undefined) return false;
      approvals.set(id, Object.freeze({ ...one, toldAt: now }));
      return true;
    },
    async sweep(now) {
      return newestFirst().flatMap((one) => {
        const forgotten =
          one.state === 'executing' && one.usedBy === undefined && one.expiresAt <= now - PAUSE_MS;
        const swept = change(
          one.id,
          (it) => forgotten || (isOpen(it) && it.expiresAt <= now),
          ({ edited: _edited, ...it }) => ({ ...it, state: forgotten ? 'failed' : 'expired' }),
        );
        return swept ?? [];
      });
    },
    async prune(before) {
      const old = newestFirst().filter(({ createdAt }) => createdAt < before);
      for (const { id } of old) approvals.delete(id);
      return old.length;
    },
    async findStanding(key) {
      const found = [...standing.values()].filter(
        (one) =>
          one.skill === undefined &&
          one.principal === key.principal &&
          one.organisation === key.organisation &&
          one.tool === key.tool &&
          one.definition === key.definition &&
          (one.argumentsHash === undefined || one.argumentsHash === key.argumentsHash),
      );
      return found.find(({ argumentsHash }) => argumentsHash !== undefined) ?? found[0];
    },
    findAgreements: async (key) => agreements(key),
    listStanding: async (filter) =>
      [...standing.values()]
        .reverse()
        .filter((one) => fits(one, filter))
        .slice(0, filter.limit),
    getStanding: async (id) => standing.get(id),
    async revokeStanding(id) {
      if (!standing.delete(id)) return false;
      tellAll();
      return true;
    },
    async signingKey(name) {
      const key = keys.get(name) ?? randomBytes(32);
      keys.set(name, key);
      return key;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type Place = Pick<StoredApproval, 'createdAt' | 'id'>;

/** In the order of lists: newest first, of one moment by id. */
function isBehind(one: Place, place: Place): boolean {
  return one.createdAt < place.createdAt || (one.createdAt === place.createdAt && one.id > place.id);
}

function isOpen({ state }: StoredApproval): boolean {
  return state === 'pending' || state === 'approved';
}

function fits(
  one: Pick<StoredApproval, 'principal' | 'organisation' | 'source'>,
  { organisation, principal, sources }: ApprovalScope,
): boolean {
  if (sources !== undefined && !sources.includes(one.source)) return false;
  if (principal !== undefined && one.principal !== principal) return false;
  return organisation === undefined || (one.organisation ?? null) === organisation;
}
