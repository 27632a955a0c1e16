import type { Connection } from '../../operations/index.ts';

/** What kind of credential a connection has, in the words of its settings; never anything of the credential. */
export function credentialKind({ credentials, account }: Connection): string {
  if (credentials === 'none') return 'none';
  const { schemes = {}, ...own } = credentials ?? {};
  const kinds = [own, ...Object.values(schemes)].flatMap((settings) => Object.keys(settings));
  if (kinds.length > 0) return [...new Set(kinds)].sort().join(', ');
  return account === undefined ? 'environment' : 'account';
}

/** Whether a service's own login gives any of its tokens. */
export function logsIn({ credentials }: Connection): boolean {
  if (credentials === undefined || credentials === 'none') return false;
  return [credentials, ...Object.values(credentials.schemes ?? {})].some(({ login }) => login !== undefined);
}
