import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { ToolcribError } from '../errors.ts';
import { readOwner } from '../operations/artifact-owner.ts';
import { beginsWith } from '../store/begins-with.ts';
import { holdsText } from '../store/holds-text.ts';
import { isOneOf } from '../store/one-of.ts';
import type { Store } from '../store/store.ts';
import type { ArtifactTable } from '../store/tables.ts';
import {
  type ArtifactLimits,
  type ArtifactStore,
  artifactId,
  artifactOf,
  DEFAULT_LIMITS,
  hashOf,
  isArtifactId,
  type OpenedArtifact,
  unknownCursor,
  withBytes,
} from './artifact.ts';
import type { ArtifactBytes } from './artifact-bytes.ts';
import { createPlacedBytes, type PlacedBytes } from './placed-bytes.ts';
import { createRetention, GOING } from './retention.ts';

export interface IndexedStoreParts {
  readonly store: Store;
  readonly bytes: ArtifactBytes;
  /** Where they lie, as it stands with each artifact: an absolute path, or the address of a bucket. */
  readonly place?: string;
  readonly limits?: ArtifactLimits;
  readonly now?: () => number;
}

type Row = Selectable<ArtifactTable>;

/**
 * Artifacts whose descriptions stand in the store, so that all its processes share them, and whose bytes lie
 * elsewhere. Whoever writes bytes has a row of its own before them, and the artifact's row names them after it: what a
 * crash leaves is found and removed.
 */
export function createIndexedArtifacts({
  store,
  bytes,
  place = '',
  limits = {},
  now = Date.now,
}: IndexedStoreParts): ArtifactStore {
  const { maxTotalBytes, maxAgeMs } = { ...DEFAULT_LIMITS, ...limits };
  const quotaBytes = Math.min(limits.quotaBytes ?? maxTotalBytes, maxTotalBytes);
  const { database } = store;
  const blobs = createPlacedBytes(bytes, place);
  const retention = createRetention({ store, blobs, maxTotalBytes, quotaBytes, now });

  const rowOf = async (id: string): Promise<Row | undefined> => {
    if (!isArtifactId(id)) return undefined;
    return database
      .selectFrom('artifacts')
      .selectAll()
      .where('id', '=', id)
      .where('ready', '=', 1)
      .where('expires_at', '>', now())
      .executeTakeFirst();
  };

  /**
   * The same output again lives on; true where its bytes are there. Of a removed user whose id is another's now it is
   * made anew.
   */
  const renewed = async (id: string, owner: string, at: number): Promise<boolean> => {
    const row = await rowOf(id);
    if (row?.owner !== owner || !(await blobs.has(row))) return false;
    const { numUpdatedRows } = await database
      .updateTable('artifacts')
      .set({ created_at: at, expires_at: at + maxAgeMs })
      .where('id', '=', id)
      .where('ready', '=', 1)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  /** Names the bytes that the row names from now on; those before are removed, with the next sweep where that fails. */
  const publish = async (row: Row): Promise<void> => {
    const before = await store.transaction(async (open) => {
      const { id, blob, owner, place, name, size, created_at, expires_at } = row;
      // whoever publishes the same meanwhile waits here, and finds what this one leaves
      const found = await open
        .insertInto('artifacts')
        .values({ ...row, ready: 1 })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ owner }))
        .returning(['blob', 'place'])
        .executeTakeFirstOrThrow();
      await open.deleteFrom('artifacts').where('id', '=', beside(row)).execute();
      if (found.blob === blob) return undefined;
      await open
        .updateTable('artifacts')
        .set({ blob, place, name, ready: 1, size, created_at, expires_at })
        .where('id', '=', id)
        .execute();
      const going = { ...row, ...found, id: beside({ id, blob: found.blob }), ready: GOING, size: 0 };
      await open.insertInto('artifacts').values(going).execute();
      return going;
    });
    if (before !== undefined) await retention.clear(before).catch(() => undefined);
  };

  /** What was not written takes no room: else those that are there would go for it. Its bytes may come late: it is swept. */
  const giveUp = async (row: Row, error: unknown): Promise<never> => {
    await database
      .updateTable('artifacts')
      .set({ size: 0 })
      .where('id', '=', beside(row))
      .execute()
      .catch(() => undefined);
    throw error;
  };

  /** Those of a user's limited credentials, too. */
  const ownersOf = async (user: string): Promise<readonly string[]> => {
    const rows = await database.selectFrom('artifacts').select('owner').distinct().execute();
    return rows.map(({ owner }) => owner).filter((owner) => readOwner(owner)?.user === user);
  };

  return {
    async put(content, description) {
      const hash = hashOf(content);
      const id = artifactId(hash, description);
      const size = content.length;
      if (size > quotaBytes) {
        throw new ToolcribError('artifact_quota_exceeded', `${size} bytes do not fit the artifact quota.`);
      }
      const at = now();
      const expires = at + maxAgeMs;
      const artifact = artifactOf({ id, hash, size, description, createdAt: at, expiresAt: expires });
      const { mimeType, name, owner = '', operation = '' } = description;
      if (await renewed(id, owner, at)) return artifact;
      const row: Row = {
        id,
        owner,
        operation,
        hash,
        mime_type: mimeType,
        name,
        size,
        blob: randomBytes(16).toString('hex'),
        place: blobs.place,
        ready: 0,
        created_at: at,
        expires_at: expires,
      };
      await database
        .insertInto('artifacts')
        .values({ ...row, id: beside(row) })
        .execute();
      await blobs.write(row.blob, content, description, hash).catch((error) => giveUp(row, error));
      await publish(row);
      await retention.added(id, owner, size);
      return artifact;
    },
    async open(id) {
      const row = await rowOf(id);
      return row && opened(row, blobs);
    },
    async get(id) {
      const row = await rowOf(id);
      if (row === undefined || !(await (await blobs.reach(row)).has(row.blob))) return undefined;
      return withBytes(opened(row, blobs));
    },
    async list({ owner, ownersWithin, user, text, after, limit = 100 } = {}) {
      let query = database
        .selectFrom('artifacts')
        .selectAll()
        .where('ready', '=', 1)
        .where('expires_at', '>', now())
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit);
      if (owner !== undefined) {
        query = query.where((on) =>
          ownersWithin === undefined
            ? on('owner', '=', owner)
            : on.or([on('owner', '=', owner), beginsWith('owner', ownersWithin)]),
        );
      }
      if (user !== undefined) query = query.where(isOneOf('owner', await ownersOf(user)));
      if (text !== undefined) query = query.where(holdsText(store, sql.ref('name'), text));
      if (after !== undefined) {
        const last = isArtifactId(after) && (await query.where('id', '=', after).executeTakeFirst());
        if (!last) throw unknownCursor(after);
        query = query.where((on) =>
          on.or([
            on('created_at', '<', last.created_at),
            on.and([on('created_at', '=', last.created_at), on('id', '>', last.id)]),
          ]),
        );
      }
      return (await query.execute()).map((row) => {
        const { stream: _bytes, ...artifact } = opened(row, blobs);
        return artifact;
      });
    },
    remove: async (id) => isArtifactId(id) && (await retention.remove(id)),
    sweep: () => retention.sweep(),
  };
}

/** The id of the row of bytes that no artifact names: not yet, or not any more. */
function beside({ id, blob }: Pick<Row, 'id' | 'blob'>): string {
  return `${id}-${blob}`;
}

function opened(row: Row, blobs: PlacedBytes): OpenedArtifact {
  const { id, hash, mime_type: mimeType, name, owner, operation } = row;
  const size = Number(row.size);
  const [createdAt, expiresAt] = [Number(row.created_at), Number(row.expires_at)];
  const description = {
    mimeType,
    name,
    ...(owner === '' ? {} : { owner }),
    ...(operation === '' ? {} : { operation }),
  };
  return {
    ...artifactOf({ id, hash, size, description, createdAt, expiresAt }),
    stream: (range) => blobs.stream(row, size, range),
  };
}
