import { ToolcribError } from '../../errors.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
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
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  const source = Object.hasOwn(configuration.sources, name) ? configuration.sources[name] : undefined;
  if (source === undefined) {
    const known = Object.keys(configuration.sources);
    throw new ToolcribError('usage', `There is no source ${name}.${didYouMean(name, known)}`);
  }
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
  const record = await signInToSource(configuration, name, source, {
    env: terminal.env,
    open: (used) => createGateway(used),
    scheme: options.scheme,
    signal: AbortSignal.timeout(options.timeout ?? LOGIN_MS),
    onUrl: prompt.onUrl,
  }).finally(prompt.end);
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
