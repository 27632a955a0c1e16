import type { Migration } from './migration.ts';

/** One index instead of two that says that a call starts once and ends once: half the pages a call writes there. */
export const callIndex: Migration = {
  name: 'call-index',
  statements: () => [
    'drop index events_call_started',
    'drop index events_call_ended',
    `create unique index events_of_call on events (call_id, (type = 'call-started'))
      where type in ('call-started', 'call-completed', 'call-failed')`,
  ],
};
