import type { HttpMethod, ProviderManifest, ProviderOperation } from '../../src/sources/manifest/manifest.ts';

/** One small change of a manifest, as a slip of the pen would make it. */
export interface Mutation {
  readonly kind: 'path' | 'method' | 'wrapping' | 'On-Behalf-Of' | 'auth' | 'access' | 'blocklist';
  readonly change: string;
  readonly manifest: ProviderManifest;
}

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every mutation that concerns this operation. */
export function mutationsOf(manifest: ProviderManifest, operation: ProviderOperation): Mutation[] {
  const replaced = (changes: Partial<ProviderOperation>): ProviderManifest => ({
    ...manifest,
    operations: [{ ...operation, ...changes }],
  });
  return [
    ...pathMutations(operation.path).map((path) => ({
      kind: 'path' as const,
      change: path,
      manifest: replaced({ path }),
    })),
    ...METHODS.filter((method) => method !== operation.method).map((method) => ({
      kind: 'method' as const,
      change: method,
      manifest: replaced({ method }),
    })),
    ...wrappingMutations(operation, replaced),
    ...actingUserMutations(manifest, operation, replaced),
    ...authMutations(manifest),
    ...accessMutations(operation, replaced),
    ...blocklistMutations(manifest, operation),
  ];
}

/** Another name for the last literal segment, one segment more, one less, other letters. */
function pathMutations(path: string): string[] {
  const segments = path.split('/').slice(1);
  const at = segments.findLastIndex((segment) => !segment.startsWith('{'));
  const renamed = segments.with(at, `${segments[at]}x`);
  const recased = segments.with(at, swapCase(segments[at]!));
  const shorter = segments.toSpliced(at, 1);
  const longer = [...segments, 'more'];
  return [renamed, recased, longer, ...(shorter.length === 0 ? [] : [shorter])].map(
    (changed) => `/${changed.join('/')}`,
  );
}

const swapCase = (text: string) =>
  [...text]
    .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
    .join('');

type Replaced = (changes: Partial<ProviderOperation>) => ProviderManifest;

function wrappingMutations(operation: ProviderOperation, replaced: Replaced): Mutation[] {
  if (operation.body === undefined || operation.contentType === 'multipart') return [];
  const wrapInData = operation.meta?.wrapInData !== true;
  const manifest = replaced({ meta: { ...operation.meta, wrapInData } });
  return [{ kind: 'wrapping', change: String(wrapInData), manifest }];
}

/** Asked for where it is not, forgotten or made optional where it is, and sent in another place. */
function actingUserMutations(
  manifest: ProviderManifest,
  operation: ProviderOperation,
  replaced: Replaced,
): Mutation[] {
  const place = manifest.onBehalfOf;
  const { requiresOnBehalfOf: requires, acceptsOnBehalfOf: accepts, ...rest } = operation.meta ?? {};
  const other = { in: 'header', name: 'X-Acting-User' } as const;
  const variants: [string, ProviderManifest][] = [];
  const say = (change: string, meta: ProviderOperation['meta'], onBehalfOf = place ?? other) =>
    variants.push([change, { ...replaced({ meta }), onBehalfOf }]);
  if (requires || accepts) say('forgotten', rest);
  if (requires) say('optional', { ...rest, acceptsOnBehalfOf: true });
  else say('required', { ...rest, requiresOnBehalfOf: true });
  if (place === undefined || ((requires || accepts) && place.in !== 'token')) {
    say('elsewhere', requires || accepts ? operation.meta : { ...rest, acceptsOnBehalfOf: true }, other);
  }
  if (place?.in === 'token') say('header instead of token', operation.meta, other);
  return variants.map(([change, mutated]) => ({ kind: 'On-Behalf-Of', change, manifest: mutated }));
}

function authMutations(manifest: ProviderManifest): Mutation[] {
  const first = Array.isArray(manifest.auth) ? manifest.auth[0]! : manifest.auth;
  const variants: Record<string, ProviderManifest['auth']> = {
    'another scheme word': { type: 'bearer', format: 'Token <token>' },
    'a key in its own header': { type: 'api-key', headerName: 'X-Api-Key' },
    ...(first.type === 'basic' ? {} : { basic: { type: 'basic' } }),
    ...(first.type === 'bearer' && /^Bearer /.test(first.format ?? 'Bearer ')
      ? {}
      : { bearer: { type: 'bearer' } }),
    ...(first.type === 'oauth2' ? {} : { oauth2: { type: 'oauth2' } }),
  };
  return Object.entries(variants).map(([change, auth]) => ({
    kind: 'auth',
    change,
    manifest: { ...manifest, auth },
  }));
}

function accessMutations({ access }: ProviderOperation, replaced: Replaced): Mutation[] {
  const other = access === 'read' ? 'write' : access === 'dangerous' ? 'delete' : 'read';
  return [{ kind: 'access', change: other, manifest: replaced({ access: other }) }];
}

/** Without the entry that closes the operation's path. */
function blocklistMutations(manifest: ProviderManifest, { path }: ProviderOperation): Mutation[] {
  const blocklist = manifest.blocklist ?? [];
  const closing = blocklist.find((entry) => path === entry || path.startsWith(`${entry}/`));
  if (closing === undefined) return [];
  const left = blocklist.filter((entry) => entry !== closing);
  return [{ kind: 'blocklist', change: `without ${closing}`, manifest: { ...manifest, blocklist: left } }];
}
