import { type SignInOptions, signInSource } from '../sign-in-source.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { signInPrompt } from '../terminal/sign-in-prompt.ts';
import { json, type Terminal } from '../terminal/terminal.ts';
import { LOGIN_MS, upstreamLogin } from './upstream.ts';

export interface LoginOptions extends SignInOptions {
  /** False: only print the address. */
  readonly browser?: boolean;
  /** Milliseconds that the person has. */
  readonly timeout?: number;
}

/** Signs a person in to the service behind a source: its tokens go into the file that the configuration names. */
export async function login(name: string, options: LoginOptions, terminal: Terminal): Promise<number> {
  const from = await signInSource(name, options, terminal);
  if (from.source.kind === 'mcp') return upstreamLogin(name, options, terminal);
  const { signInToSource } = await import('../../assembly/access/sign-in-to-source.ts');
  const prompt = signInPrompt(
    name,
    terminal,
    async (url) => options.browser !== false && (await openBrowser(url, terminal)),
  );
  const signal = AbortSignal.timeout(options.timeout ?? LOGIN_MS);
  const record = await signInToSource(from, { signal, onUrl: prompt.onUrl }).finally(prompt.end);
  const { scopes = [], expiresAt, refreshToken } = record;
  const ends = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  const renewable = refreshToken !== undefined;
  if (options.json) {
    terminal.out(
      json({ source: name, signedIn: true, scopes, renewable, ...(ends ? { expiresAt: ends } : {}) }),
    );
    return 0;
  }
  terminal.note(`Signed in to ${name}${scopes.length > 0 ? `: ${scopes.join(' ')}` : ''}.`);
  if (!renewable && ends !== undefined) {
    terminal.note(
      `It ends at ${ends}: the provider gave no refresh token. Some want the scope offline_access, others authorizationParameters such as { access_type: offline, prompt: consent }.`,
    );
  }
  return 0;
}
