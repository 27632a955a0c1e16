import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import { upstreamOf } from '../../config/settings/upstreams.ts';
import type { SignOut, SignOutTerms } from '../../credentials/sign-in/sign-out.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { sourceNamed } from '../source-named.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface LogoutOptions extends SourceOptions {
  readonly scheme?: string;
  /** Only remove what is kept here. */
  readonly local?: boolean;
}

/** For the whole of it, milliseconds; one request has fifteen seconds. */
const LOGOUT_MS = 120_000;

/** Signs a person out of the service behind a source: its tokens are ended at the provider, and their file is removed. */
export async function logout(name: string, options: LogoutOptions, terminal: Terminal): Promise<number> {
  const { configuration, source } = await sourceNamed(name, options, terminal);
  const terms = { local: options.local === true, signal: AbortSignal.timeout(LOGOUT_MS) };
  const { signedOut, revoked } = await signOut(configuration, name, source, terms, options, terminal);
  if (options.json) terminal.out(json({ source: name, signedOut, revoked }));
  else terminal.note(sentence(name, { signedOut, revoked }, terms.local));
  return 0;
}

async function signOut(
  configuration: Configuration,
  name: string,
  source: SourceConfiguration,
  terms: SignOutTerms,
  { scheme }: LogoutOptions,
  { env }: Terminal,
): Promise<SignOut> {
  const upstream = upstreamOf(source)?.definition;
  if (upstream !== undefined) {
    const { signOutOfUpstream } = await import('../../assembly/upstreams/open-upstreams.ts');
    return signOutOfUpstream(configuration, upstream, { env, ...terms });
  }
  const [{ createGateway }, { signOutOfSource }] = await Promise.all([
    import('../../gateway.ts'),
    import('../../assembly/access/sign-in-to-source.ts'),
  ]);
  const open = (used: Configuration) => createGateway(used);
  return signOutOfSource({ configuration, name, source, env, open, scheme }, terms);
}

function sentence(name: string, { signedOut, revoked }: SignOut, local: boolean): string {
  if (!signedOut) return `Nobody is signed in to ${name}.`;
  if (revoked) return `Signed out of ${name}: its tokens are ended at the provider, and removed here.`;
  const reason = local ? '' : ', which names no address for it (RFC 7009)';
  return `Signed out of ${name}: its tokens are removed here. They stay good until they expire, or you end them at the provider${reason}.`;
}
