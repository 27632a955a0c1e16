import type { AdminEvent } from '../../../../gateway/src/operations/event.ts';
import type { ApiKey } from '../../../../gateway/src/principals/records.ts';
import type { People } from '../../components/use-people.ts';
import { visibleText } from '../../components/visible-text.ts';

type Changed = Pick<AdminEvent, 'type' | 'organisation' | 'subject' | 'change'>;
type KnownKey = Pick<ApiKey, 'id' | 'user' | 'name'>;

/** Whom or what it concerns, by the names that are known. */
export function aboutOf(
  { type, organisation, subject, change }: Changed,
  people: People,
  keys: readonly KnownKey[],
): string {
  if (type === 'key-changed') {
    const key = keys.find(({ id }) => id === subject);
    return key === undefined
      ? `key ${visibleText(subject)}`
      : `${people.nameOf(key.user)}, key ${visibleText(key.name)}`;
  }
  if (type === 'connection-changed') return `account ${visibleText(subject)}`;
  if (type === 'access-changed' && change.startsWith(`role ${subject} `))
    return `role ${visibleText(subject)}`;
  if (subject === organisation) return 'the organisation';
  return people.nameOf(subject);
}

/** What the event says, with the name of the person that it names. */
export function changeWords({ change }: Changed, { names, nameOf }: People): string {
  const [, before = '', id = '', after = ''] = /^(created for |user )([^\s,]+)(.*)$/s.exec(change) ?? [];
  return names.has(id) ? `${before}${nameOf(id)}${visibleText(after)}` : visibleText(change);
}
