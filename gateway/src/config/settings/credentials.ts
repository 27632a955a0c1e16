import type { ConnectionCredentials, CredentialSettings, LoginSettings } from '../../operations/index.ts';
import { milliseconds } from '../measures.ts';
import { type SecretContext, settingsWithAbsoluteFiles } from '../secrets.ts';

type WrittenSettings = Omit<CredentialSettings, 'login'> & {
  readonly login?: Omit<LoginSettings, 'lifetime'> & { readonly lifetime?: string | number };
};
/** As a source has them, checked by the schema. */
export type WrittenCredentials =
  | 'none'
  | (WrittenSettings & { readonly schemes?: Readonly<Record<string, WrittenSettings>> });

/** Credentials of a source: files are found from any folder, times are milliseconds, values stay unread. */
export function sourceCredentials(
  written: WrittenCredentials,
  context: SecretContext,
): ConnectionCredentials {
  if (written === 'none') return 'none';
  const { schemes, ...own } = written;
  const settingsOf = (settings: WrittenSettings) => settingsWithAbsoluteFiles(measured(settings), context);
  if (schemes === undefined) return settingsOf(own);
  return {
    ...settingsOf(own),
    schemes: Object.fromEntries(
      Object.entries(schemes).map(([name, settings]) => [name, settingsOf(settings)]),
    ),
  };
}

function measured({ login, ...settings }: WrittenSettings): CredentialSettings {
  if (login === undefined) return settings;
  const { lifetime, ...rest } = login;
  return {
    ...settings,
    login: { ...rest, ...(lifetime === undefined ? {} : { lifetime: milliseconds(lifetime) }) },
  };
}
