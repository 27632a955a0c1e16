import { ToolcribError } from '../../errors.ts';
import { escapeToken, type TlsSettings } from '../../operations/index.ts';
import { type SecretContext, withAbsoluteFile } from '../secrets.ts';

/** Kinds whose calls are no HTTP requests that the gateway itself makes for them. */
const WITHOUT: ReadonlySet<string> = new Set(['web', 'azure', 'skills', 'function', 'package', 'self']);

/** Files found from any folder, read when a call needs them. Throws `configuration_invalid`. */
export function tlsSettings(
  source: string,
  kind: string,
  settings: TlsSettings,
  context: SecretContext,
): TlsSettings {
  if (WITHOUT.has(kind)) {
    throw new ToolcribError(
      'configuration_invalid',
      `Source ${source} has tls, which sources of kind ${kind} cannot use.`,
      { pointer: `#/sources/${escapeToken(source)}/tls` },
    );
  }
  return withAbsoluteTls(settings, context);
}

/** Files found from any folder. */
export function withAbsoluteTls<S extends object>(settings: S, context: SecretContext): S {
  const named = Object.entries(settings).filter(([, reference]) => reference !== undefined);
  return Object.fromEntries(
    named.map(([name, reference]) => [name, withAbsoluteFile(reference, context)]),
  ) as S;
}
