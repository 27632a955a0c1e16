import type { Configuration } from '../config/configuration.ts';
import { createNangoConnect, type NangoConnect } from '../credentials/nango/index.ts';
import type { Egress } from '../egress/egress.ts';
import type { NangoCredential } from '../operations/index.ts';

export interface NangoParts {
  readonly configuration: Configuration;
  readonly egress: Egress;
  /** Learns the secret key. */
  readonly announce?: (secret: string) => void;
}

/** What making connections of one source takes; undefined where its accounts are not kept in Nango. */
export function nangoOfSource(
  { configuration, egress, announce }: NangoParts,
  source: string,
): (NangoConnect & { readonly integration: string }) | undefined {
  const settings = nangoSettings(configuration, source);
  if (settings === undefined) return undefined;
  const { integration, ...nango } = settings;
  const connect = createNangoConnect({
    egress,
    nango,
    place: `sources.${source}.credentials.nango`,
    ...(announce === undefined ? {} : { announce }),
  });
  return { ...connect, integration };
}

/** Whether a connection was made for this user or organisation, as Nango says itself. */
export async function ownsNangoConnection(
  parts: NangoParts,
  credential: NangoCredential,
  owner: {
    readonly organisation: string;
    readonly user: string | null;
    readonly source: string;
    readonly asking: string;
  },
): Promise<boolean> {
  const nango = nangoOfSource(parts, owner.source);
  // each source may have a Nango of its own, in which others own what is called the same
  if (nango?.integration !== credential.integration) return false;
  const signal = AbortSignal.timeout(ASK_MS);
  // An organisation's account is connected by one of its admins: the session names that person.
  const endUsers = owner.user === null ? [owner.asking, owner.organisation] : [owner.user];
  return nango.isConnectionOf(endUsers, credential, signal);
}

/** For a question to Nango that no call waits for. */
const ASK_MS = 15_000;

function nangoSettings({ sources }: Configuration, source: string): NangoCredential | undefined {
  const credentials = Object.hasOwn(sources, source) ? sources[source]?.credentials : undefined;
  return credentials === undefined || credentials === 'none' ? undefined : credentials.nango;
}
