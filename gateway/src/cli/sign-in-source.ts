import type { SignInSource } from '../assembly/access/sign-in-to-source.ts';
import { unknownSource } from '../operations/unknown-source.ts';
import type { SourceOptions } from './options/source-options.ts';
import { resolveConfiguration } from './resolve-configuration.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface SignInOptions extends SourceOptions {
  /** By its name in the document. */
  readonly scheme?: string;
}

/** The source of the configuration that a person signs in to, or out of. Throws `source_unknown`. */
export async function signInSource(
  name: string,
  options: SignInOptions,
  terminal: Terminal,
): Promise<SignInSource> {
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  const source = Object.hasOwn(configuration.sources, name) ? configuration.sources[name] : undefined;
  if (source === undefined) {
    const known = Object.keys(configuration.sources);
    throw unknownSource(name, { known, next: `The sources of the configuration are: ${known.join(', ')}.` });
  }
  const open: SignInSource['open'] = async (used) => (await import('../gateway.ts')).createGateway(used);
  return { configuration, name, source, env: terminal.env, open, scheme: options.scheme };
}
