import type { Configuration } from '../../config/configuration.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { sourceNamed } from '../source-named.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { signInPrompt } from '../terminal/sign-in-prompt.ts';
import { json, type Terminal } from '../terminal/terminal.ts';
import { LOGIN_MS, upstreamLogin } from './upstream.ts';

export interface LoginOptions extends SourceOptions {
  readonly scheme?: string;
  /** False: only print the address. */
  readonly browser?: boolean;
  /** Milliseconds that the person has. */
  readonly timeout?: number;
}

/** Signs a person in to the service behind a source: its tokens go into the file that the configuration names. */
export async function login(name: string, options: LoginOptions, terminal: Terminal): Promise<number> {
  const { configuration, source } = await sourceNamed(name, options, terminal);
  if (source.kind === 'mcp') return upstreamLogin(name, options, terminal);
  const [{ createGateway }, { signInToSource }] = await Promise.all([
    import('../../gateway.ts'),
    import('../../assembly/access/sign-in-to-source.ts'),
  ]);
  const prompt = signInPrompt(
    name,
    terminal,
    async (url) => options.browser !== false && (await openBrowser(url, terminal)),
  );
  const { env } = terminal;
  const open = (used: Configuration) => createGateway(used);
  const record = await signInToSource(
    { configuration, name, source, env, open, scheme: options.scheme },
    { signal: AbortSignal.timeout(options.timeout ?? LOGIN_MS), onUrl: prompt.onUrl },
  ).finally(prompt.end);
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
