import type { JsonObject } from '../json.ts';
import { body, INTERNAL, inPath, inQuery, object, ok, operation, parameter, rows, text } from './writing.ts';

const FOLDER = object({ Id: text('Id'), Name: text('Name'), HasMore: { type: 'boolean' } });

/** What is no tool: lists for other operations, triggers and their subscriptions, the connector's own plumbing. */
export const MAIL_HELPERS: JsonObject = {
  '/{connectionId}/OpenFolders': {
    get: operation('OpenFolders', 'Root folders', [inQuery('mailbox')], {
      ...INTERNAL,
      responses: ok(rows(FOLDER)),
    }),
  },
  '/{connectionId}/BrowseFolders': {
    get: operation(
      'BrowseFolders',
      'Folders below',
      [inQuery('id', { required: true }), inQuery('mailbox')],
      {
        ...INTERNAL,
        responses: ok(rows(FOLDER)),
      },
    ),
  },
  '/{connectionId}/contactFolders': {
    get: operation('ListContactFolders', 'Contact folders', [], {
      ...INTERNAL,
      responses: ok(rows(object({ id: text('Id'), displayName: text('Name') }))),
    }),
  },
  '/{connectionId}/roomLists': {
    get: operation('ListRoomLists', 'Get room lists', [], {
      responses: ok(rows(object({ address: text('Address'), name: text('Name') }))),
    }),
  },
  "/{connectionId}/datasets('{dataset}')/tables": {
    get: operation('ListTables', 'Tables', [inPath('dataset', { 'x-ms-url-encoding': 'double' })], {
      ...INTERNAL,
      responses: ok(rows(object({ Name: text('Name'), DisplayName: text('Display name') }))),
    }),
  },
  "/{connectionId}/$metadata.json/datasets('{dataset}')/tables/{table}": {
    get: operation(
      'GetTableSchema',
      'Table metadata',
      [
        inPath('dataset', { 'x-ms-url-encoding': 'double' }),
        inPath('table', { 'x-ms-url-encoding': 'double' }),
      ],
      { ...INTERNAL, responses: ok(object({ Name: text('Name'), Schema: { type: 'object' } })) },
    ),
  },
  '/{connectionId}/testconnection': { get: operation('TestConnection', 'Test', [], INTERNAL) },
  '/{connectionId}/Mail/OnNewMail': {
    get: operation('OnNewMail', 'When an email arrives', [inQuery('folderPath')], {
      'x-ms-trigger': 'batch',
    }),
  },
  '/{connectionId}/MailSubscriptions/$subscriptions': {
    'x-ms-notification-content': { description: 'What arrives', schema: { type: 'object' } },
    post: operation('CreateMailSubscription', 'When an email arrives (webhook)', [
      body(
        object({ NotificationUrl: { type: 'string', 'x-ms-notification-url': true, ...INTERNAL } }, [
          'NotificationUrl',
        ]),
      ),
    ]),
  },
  '/RecordResponse': {
    get: {
      operationId: 'RecordResponse',
      summary: 'Somebody pressed a button in an email',
      parameters: [inQuery('answer')],
      responses: ok(),
      ...INTERNAL,
    },
  },
  '/{subscribedConnectionId}/ApprovalMail/{id}': {
    delete: {
      operationId: 'DeleteApprovalSubscription',
      parameters: [parameter('path', 'subscribedConnectionId'), inPath('id')],
      responses: ok(),
      ...INTERNAL,
    },
  },
};
