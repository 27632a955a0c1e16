import type { SessionCredential, SessionRecord } from './session-record.ts';

/** Browsers of one credential: whoever holds it signs in as often as they like, and fills nothing. */
const MOST_EACH = 100;

/** Whose session it is: equal for all sessions of one credential, whatever proves it. */
function holderOf(credential: SessionCredential): string {
  switch (credential.kind) {
    case 'key':
      return JSON.stringify([credential.kind, credential.id]);
    case 'sign-in':
      return JSON.stringify([credential.kind, credential.issuer, credential.subject]);
    default:
      return JSON.stringify([credential.kind]);
  }
}

/** Ids of those that give way to a new session of this credential: the least recently used ones of its holder. */
export function giveWay(
  records: readonly Pick<SessionRecord, 'id' | 'credential' | 'usedAt'>[],
  { credential }: Pick<SessionRecord, 'credential'>,
): readonly string[] {
  const holder = holderOf(credential);
  return records
    .filter((record) => holderOf(record.credential) === holder)
    .sort((a, b) => b.usedAt - a.usedAt)
    .slice(MOST_EACH - 1)
    .map(({ id }) => id);
}
