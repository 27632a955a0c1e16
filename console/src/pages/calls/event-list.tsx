import type { Event } from '../../../../gateway/src/operations/index.ts';
import { type People, usePeople } from '../../components/people/use-people.ts';
import { visibleText } from '../../components/visible-text.ts';
import styles from './call-story.module.css';

/** The events of a call in their order: when, what, and what they say. */
export function EventList({ events }: { readonly events: readonly Event[] }) {
  const people = usePeople();
  return (
    <ol className={styles['events']}>
      {events.map((event) => (
        <li key={event.sequence}>
          <time className={styles['clock']} dateTime={event.time} title={`Event ${event.sequence}`}>
            {clock(event.time)}
          </time>
          <span className={styles['type']}>{event.type}</span>
          <span className={styles['says']}>{visibleText(wordsOf(event, people))}</span>
        </li>
      ))}
    </ol>
  );
}

function wordsOf(event: Event, people: People): string {
  const body = event as unknown as Readonly<Record<string, unknown>>;
  const decided = body['decidedBy'] === undefined ? '' : `by ${people.nameOf(String(body['decidedBy']))}`;
  const channel = body['channel'] === undefined ? '' : `in ${body['channel']}`;
  const attempt = body['attempt'] === undefined ? '' : `attempt ${body['attempt']}`;
  const said = [
    event.type.startsWith('approval-') ? body['state'] : body['status'],
    decided,
    channel,
    attempt,
    body['code'],
    body['error_code'],
    body['message'],
    body['summary'],
  ];
  return said.filter((part) => part !== undefined && part !== '').join(' · ');
}

const time = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** `14:03:07.120`, in the time of whoever looks. */
export function clock(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : time.format(date);
}
