import type { JsonObject } from '../json.ts';
import type { ConnectorDocument } from '../managed-apis.ts';
import { CONTACT_FOLDER, FOLDER_TREE, TABLE } from './mail-choices.ts';
import { MAIL_DEFINITIONS } from './mail-definitions.ts';
import { MAIL_HELPERS } from './mail-helpers.ts';
import {
  body,
  CONNECTION_ID,
  connectorDocument,
  family,
  inPath,
  inQuery,
  list,
  object,
  ok,
  operation,
  parameter,
  ref,
  rows,
  text,
  twice,
} from './writing.ts';

const PATHS: JsonObject = {
  '/{connectionId}/v2/Mail': {
    get: operation(
      'ListMailV3',
      'Get emails (V3)',
      [
        inQuery('folderPath', { 'x-ms-summary': 'Folder', default: 'Inbox', ...FOLDER_TREE }),
        inQuery('mailbox', { 'x-ms-summary': 'Mailbox', 'x-ms-visibility': 'advanced' }),
        inQuery('$filter', { 'x-ms-summary': 'Filter' }),
        inQuery('$top', { type: 'integer', format: 'int32', default: 10, 'x-ms-summary': 'Top' }),
        inQuery('importance', {
          'x-ms-enum-values': [
            { value: 'low', displayName: 'Low' },
            { value: 'high', displayName: 'High' },
          ],
        }),
        inQuery('tags', { type: 'array', items: { type: 'string' }, collectionFormat: 'multi' }),
        inQuery('fetchOnlyFlagged', { type: 'boolean', default: false, 'x-ms-visibility': 'internal' }),
      ],
      {
        responses: ok(rows(ref('Message'))),
        'x-ms-pageable': { nextLinkName: '@odata.nextLink' },
        'x-ms-visibility': 'important',
        ...family('ListMail', 3),
      },
    ),
    // The newest revision of this family stands before the oldest.
    post: operation('SendMailV2', 'Send an email (V2)', [body(ref('OutgoingMessage'))], {
      consumes: ['application/json'],
      'x-ms-visibility': 'important',
      ...family('SendMail', 2),
    }),
  },
  '/{connectionId}/Mail': {
    post: operation('SendMail', 'Send an email', [body(ref('OutgoingMessage'))], {
      deprecated: true,
      ...family('SendMail', 1),
    }),
    get: operation('ListMail', 'Get emails', [inQuery('folderPath')], {
      deprecated: true,
      ...family('ListMail', 1),
    }),
  },
  '/{connectionId}/codeless/v1.0/me/messages/{messageId}': {
    parameters: [twice('messageId', { 'x-ms-summary': 'Message Id' })],
    get: operation(
      'GetMailV2',
      'Get email (V2)',
      [
        parameter('header', 'Prefer-Body', { enum: ['text', 'html'], 'x-ms-summary': 'Body form' }),
        inQuery('includeAttachments', { type: 'boolean' }),
      ],
      { responses: { ...ok(ref('Message')), '202': { description: 'Not there yet.' } } },
    ),
    patch: operation('FlagMail', 'Flag email', [
      body(object({ isRead: { type: 'boolean' }, flag: ref('Flag') })),
    ]),
    delete: operation('DeleteMailV2', 'Delete email (V2)', [], { 'x-ms-require-user-confirmation': true }),
  },
  '/{connectionId}/Mail/Category/Bulk/{categoryName}': {
    post: operation('AddCategoryToMessages', 'Assign a category to multiple messages', [
      inPath('categoryName'),
      body(list({ type: 'string' }), { name: 'messageIds' }),
    ]),
  },
  '/{connectionId}/codeless/v1.0/me/contactFolders/{folder}/contacts/{id}/photo/$value': {
    put: operation(
      'UpdateContactPhoto',
      'Update the photo of a contact',
      [
        twice('folder', CONTACT_FOLDER),
        twice('id'),
        body({ type: 'string', format: 'binary' }),
        parameter('header', 'Content-Type', { default: 'image/jpeg', 'x-ms-visibility': 'internal' }),
      ],
      { 'x-ms-visibility': 'advanced', 'x-ms-api-annotation': { status: 'Production' } },
    ),
  },
  "/{connectionId}/datasets('{dataset}')/tables({table})/items": {
    post: operation(
      'V4TablePostItem',
      'Create an item (V4)',
      [
        twice('dataset'),
        twice('table', TABLE),
        body({
          type: 'object',
          'x-ms-dynamic-schema': {
            operationId: 'GetTableSchema',
            parameters: { dataset: { parameter: 'dataset' }, table: { parameter: 'table' } },
            'value-path': 'Schema/Items',
          },
        }),
      ],
      {
        responses: {
          '201': { description: 'Created', schema: object({ id: text('Id') }) },
          ...ok(object({ id: text('Id') })),
        },
      },
    ),
  },
  "/{connectionId}/codeless/beta/me/findRooms(RoomList='{room_list}')": {
    get: operation(
      'FindRoomsV2',
      'Get rooms in a list (V2)',
      [
        twice('room_list', {
          'x-ms-dynamic-list': {
            operationId: 'ListRoomLists',
            parameters: {},
            itemsPath: 'value',
            itemValuePath: 'address',
            itemTitlePath: 'name',
          },
        }),
      ],
      { responses: ok(rows(object({ address: text('Address'), name: text('Name') }))) },
    ),
  },
  '/{connectionId}/events/{id}': {
    put: operation(
      'UpdateEventV4',
      'Update event (V4)',
      [inPath('id'), inQuery('calendar-id'), body(ref('Event'))],
      {
        responses: ok(ref('Event')),
      },
    ),
  },
  '/{connectionId}/Mail/Import': {
    post: operation(
      'ImportMail',
      'Import a message',
      [
        parameter('formData', 'message', { type: 'file', required: true }),
        parameter('formData', 'subject', { 'x-ms-summary': 'Subject' }),
        parameter('formData', 'silent', {
          type: 'boolean',
          default: true,
          'x-ms-visibility': 'internal',
          required: true,
        }),
      ],
      { consumes: ['multipart/form-data'] },
    ),
  },
  '/{connectionId}/Mail/AutoReply': {
    post: operation(
      'SetAutoReply',
      'Set automatic replies',
      [
        parameter('formData', 'text', { required: true }),
        parameter('formData', 'days', { type: 'integer' }),
        { $ref: '#/parameters/Audience' },
      ],
      { consumes: ['application/x-www-form-urlencoded'] },
    ),
  },
  '/{connectionId}/Mail/{messageId}/Text': {
    post: operation('AppendText', 'Append text', [inPath('messageId'), body({ type: 'string' })], {
      consumes: ['text/plain'],
    }),
  },
  '/{connectionId}/codeless/httprequest': {
    post: operation(
      'HttpRequest',
      'Send an HTTP request',
      [
        parameter('header', 'Uri', { required: true }),
        parameter('header', 'Method', { required: true, enum: ['GET', 'POST', 'DELETE'], default: 'GET' }),
        body({ type: 'string', format: 'binary' }, { name: 'Body', required: false }),
      ],
      { 'x-ms-visibility': 'important' },
    ),
  },
  ...MAIL_HELPERS,
};

/** A mail service of our own making: what captured connectors do, each trap once. */
export const MAIL: ConnectorDocument = {
  name: 'mail',
  displayName: 'Post Office Mail',
  swagger: connectorDocument('mail', 'Post Office Mail', 'Mail, contacts and events of a small office.', {
    parameters: {
      Audience: parameter('formData', 'audience', { enum: ['all', 'contacts'], default: 'all' }),
      connectionId: CONNECTION_ID,
    },
    paths: PATHS,
    definitions: MAIL_DEFINITIONS,
    'x-ms-capabilities': { testConnection: { operationId: 'TestConnection', parameters: {} } },
  }),
};
