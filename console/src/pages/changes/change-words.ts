import type { AdminEvent } from '../../../../gateway/src/operations/event.ts';
import type { ApiKey, ConnectionRecord } from '../../../../gateway/src/principals/directory/records.ts';
import type { People } from '../../components/people/use-people.ts';
import { visibleText } from '../../components/visible-text.ts';

type Changed = Pick<AdminEvent, 'type' | 'organisation' | 'subject' | 'change'>;
type KnownKey = Pick<ApiKey, 'id' | 'user' | 'name'>;

/** What there is beside people, to be named. */
export interface KnownRecords {
  /** Changes of every organisation are seen. */
  readonly ofAll: boolean;
  readonly keys: readonly KnownKey[];
  readonly accounts: ReadonlyArray<Pick<ConnectionRecord, 'id' | 'name' | 'source'>>;
}

/** Whom or what it concerns, by the names that are known. */
export function aboutOf(
  { type, organisation, subject, change }: Changed,
  people: People,
  { ofAll, keys, accounts }: KnownRecords,
): string {
  const whose = ofAll && organisation !== undefined ? people.organisationOf(organisation) : undefined;
  if (type === 'key-changed') {
    const key = keys.find(({ id }) => id === subject);
    return key === undefined
      ? `key ${visibleText(subject)}`
      : `${people.nameOf(key.user)}, key ${visibleText(key.name)}`;
  }
  if (type === 'connection-changed') {
    const account = accounts.find(({ id }) => id === subject);
    return `account ${visibleText(account === undefined ? subject : `${account.name} of ${account.source}`)}`;
  }
  if (type === 'access-changed' && change.startsWith(`role ${subject} `))
    return `role ${visibleText(subject)}${whose === undefined ? '' : ` of ${whose}`}`;
  if (subject === organisation) return `the organisation${whose === undefined ? '' : ` ${whose}`}`;
  return people.nameOf(subject);
}

/** What the event says, with the name of the person that it names. */
export function changeWords({ change }: Changed, { names, nameOf }: People): string {
  const [, before = '', id = '', after = ''] = /^(created for |user )([^\s,]+)(.*)$/s.exec(change) ?? [];
  return names.has(id) ? `${before}${nameOf(id)}${visibleText(after)}` : visibleText(change);
}
