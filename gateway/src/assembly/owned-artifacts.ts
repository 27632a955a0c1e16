import type { Artifact, ArtifactStore, OpenedArtifact } from '../artifacts/index.ts';
import { isOwnedBy } from '../artifacts/owner.ts';
import { limitedOwners, ownerText } from '../operations/artifact-owner.ts';
import { type Principal, sourceOfKey } from '../operations/index.ts';

/** What is asked while a principal uses its outputs. */
export interface OutputRules {
  /** Of which operations (`source/id`) it may still have the answers, by fresh grants. Asked of users alone. */
  readonly readable?: () => Promise<(operation: string) => boolean>;
  /** Bytes of this source go to the principal; '' where nobody knows of which. Throws `store_unavailable`. */
  readonly delivered?: (source: string) => Promise<void>;
}

/**
 * The store as one principal uses it: what a user's call leaves there is that user's, and the operator's. A credential
 * that is limited to some sources has only what such a one left: other outputs may be of sources that it must not read.
 * What a user may call no longer is shut with it.
 */
export function ownedArtifacts(
  artifacts: ArtifactStore,
  principal: Principal,
  { readable = async () => () => true, delivered }: OutputRules = {},
): ArtifactStore {
  const told = delivered === undefined ? artifacts : tellingStore(artifacts, delivered);
  const owner = ownerOf(principal);
  if (owner === undefined) return told;
  const theirs = principal.sources === undefined ? { owner, ownersWithin: limitedOwners(owner) } : { owner };
  const isOpen = ({ operation }: Artifact, may: (operation: string) => boolean) =>
    operation === undefined || may(operation);
  const own = async (id: string) => {
    const found = await told.open(id);
    if (found === undefined || !isOwnedBy(found.owner, theirs)) return undefined;
    return isOpen(found, await readable()) ? found : undefined;
  };
  return {
    put: (bytes, description) => artifacts.put(bytes, { ...description, owner }),
    open: own,
    get: async (id) => ((await own(id)) === undefined ? undefined : told.get(id)),
    async list({ owner: _owner, ownersWithin: _within, limit = DEFAULT_PAGE, ...query } = {}) {
      const may = await readable();
      const listed: Artifact[] = [];
      let { after } = query;
      for (;;) {
        const place = after === undefined ? {} : { after };
        const page = await artifacts.list({ ...query, ...theirs, ...place, limit });
        listed.push(...page.filter((one) => isOpen(one, may)));
        after = page.at(-1)?.id;
        if (page.length < limit || listed.length >= limit) return listed.slice(0, limit);
      }
    },
    remove: async (id) => (await own(id)) !== undefined && artifacts.remove(id),
    sweep: async () => 0,
  };
}

/** As `ArtifactQuery.limit` has it. */
const DEFAULT_PAGE = 100;

/** Tells of what is read before the first byte of it is out. */
function tellingStore(artifacts: ArtifactStore, delivered: (source: string) => Promise<void>): ArtifactStore {
  const tell = ({ operation }: Artifact) => delivered(sourceOfKey(operation));
  return {
    ...artifacts,
    async open(id) {
      const found = await artifacts.open(id);
      return (
        found && {
          ...found,
          stream: (range) =>
            after(
              () => tell(found),
              () => found.stream(range),
            ),
        }
      );
    },
    async get(id) {
      const found = await artifacts.get(id);
      if (found !== undefined) await tell(found);
      return found;
    },
  };
}

/** The stream, begun when it is first read and this is done; it fails as this does. */
function after(
  first: () => Promise<void>,
  begin: OpenedArtifact['stream'],
): ReturnType<OpenedArtifact['stream']> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let isGivenUp = false;
  return new ReadableStream(
    {
      async pull(controller) {
        if (reader === undefined) {
          await first();
          if (isGivenUp) return;
          reader = begin().getReader();
        }
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        isGivenUp = true;
        return reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Undefined for the process owner and the operator's token. */
function ownerOf({ kind, id, organisation, sources }: Principal): string | undefined {
  if (kind !== 'user') return undefined;
  return ownerText({
    user: id,
    ...(organisation === undefined ? {} : { organisation }),
    ...(sources === undefined ? {} : { sources }),
  });
}
