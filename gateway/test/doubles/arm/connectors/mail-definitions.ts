import type { JsonObject } from '../json.ts';
import { list, object, ref, text } from './writing.ts';

/** What messages, contacts and events look like. */
export const MAIL_DEFINITIONS: JsonObject = {
  OutgoingMessage: object(
    {
      To: text('To', { format: 'email' }),
      Subject: text('Subject'),
      Body: text('Body', { format: 'html' }),
      Importance: text('Importance', { enum: ['Low', 'Normal', 'High'], default: 'Normal' }),
      Attachments: list(
        object({ Name: text('Name'), ContentBytes: text('Content', { format: 'byte' }) }, [
          'Name',
          'ContentBytes',
        ]),
      ),
      SendAs: object({
        Origin: { type: 'string', default: 'connector', ...{ 'x-ms-visibility': 'internal' } },
        Address: text('Address'),
      }),
    },
    ['To', 'Subject'],
  ),
  Message: object({
    Id: text('Id'),
    Subject: text('Subject'),
    From: text('From', { 'x-nullable': true }),
    ReceivedTime: text('Received', { format: 'date-time' }),
    HasAttachment: { type: 'boolean' },
  }),
  Flag: object({ flagStatus: text('Status', { enum: ['flagged', 'complete', 'notFlagged'] }) }, [
    'flagStatus',
  ]),
  EventBase: object({ subject: text('Subject'), isAllDay: { type: 'boolean' } }, ['subject']),
  Event: {
    allOf: [
      ref('EventBase'),
      object(
        {
          // Also the name of a path parameter.
          id: text('Id', { readOnly: false }),
          start: object({ dateTime: text('Start', { format: 'date-time' }), timeZone: text('Zone') }, [
            'dateTime',
          ]),
          kind: { type: 'string', default: 'singleInstance', 'x-ms-visibilty': 'internal' },
          attendees: list(
            object({ emailAddress: object({ address: text('Address'), name: text('Name') }, ['address']) }),
          ),
        },
        ['start'],
      ),
    ],
  },
};
