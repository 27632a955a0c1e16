import type { SignInSource } from '../../assembly/access/sign-in-to-source.ts';
import { upstreamOf } from '../../config/settings/upstreams.ts';
import type { SignOut, SignOutTerms } from '../../credentials/sign-in/sign-out.ts';
import { type SignInOptions, signInSource } from '../sign-in-source.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface LogoutOptions extends SignInOptions {
  /** Only remove what is kept here. */
  readonly local?: boolean;
}

/** For the whole of it, milliseconds; one request has fifteen seconds. */
const LOGOUT_MS = 120_000;

/** Signs a person out of the service behind a source: its tokens are ended at the provider, and their file is removed. */
export async function logout(name: string, options: LogoutOptions, terminal: Terminal): Promise<number> {
  const from = await signInSource(name, options, terminal);
  const terms = { local: options.local === true, signal: AbortSignal.timeout(LOGOUT_MS) };
  const { signedOut, revoked } = await signOut(from, terms);
  if (options.json) terminal.out(json({ source: name, signedOut, revoked }));
  else terminal.note(sentence(name, { signedOut, revoked }, terms.local));
  return 0;
}

async function signOut(from: SignInSource, terms: SignOutTerms): Promise<SignOut> {
  const { configuration, source, env } = from;
  const upstream = upstreamOf(source)?.definition;
  if (upstream !== undefined) {
    const { signOutOfUpstream } = await import('../../assembly/upstreams/open-upstreams.ts');
    return signOutOfUpstream(configuration, upstream, { env, ...terms });
  }
  const { signOutOfSource } = await import('../../assembly/access/sign-in-to-source.ts');
  return signOutOfSource(from, terms);
}

function sentence(name: string, { signedOut, revoked }: SignOut, local: boolean): string {
  if (!signedOut) return `Nobody is signed in to ${name}.`;
  if (revoked) return `Signed out of ${name}: its tokens are ended at the provider, and removed here.`;
  const reason = local ? '' : ', which names no address for it (RFC 7009)';
  return `Signed out of ${name}: its tokens are removed here. They stay good until they expire, or you end them at the provider${reason}.`;
}
