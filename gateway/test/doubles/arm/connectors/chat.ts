import type { JsonObject } from '../json.ts';
import type { ConnectorDocument } from '../managed-apis.ts';
import { CHAT_DEFINITIONS, CHAT_PARAMETERS } from './chat-definitions.ts';
import {
  body,
  connectorDocument,
  family,
  INTERNAL,
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
} from './writing.ts';

const shared = (name: string): JsonObject => ({ $ref: `#/parameters/${name}` });

const PATHS: JsonObject = {
  '/{connectionId}/beta/me/joinedTeams': {
    get: operation('GetAllTeams', 'List teams', [], {
      responses: ok(rows(ref('Named'))),
      'x-ms-visibility': 'important',
    }),
  },
  '/{connectionId}/beta/groups/{groupId}/channels': {
    parameters: [shared('groupId')],
    get: operation('GetChannelsForGroup', 'List channels', [inQuery('$filter')], {
      responses: ok(rows(ref('Named'))),
    }),
    post: operation(
      'CreateChannel',
      'Create a channel',
      [
        body(
          object({ displayName: text('Name'), description: text('Description', { 'x-nullable': true }) }, [
            'displayName',
          ]),
        ),
      ],
      {
        consumes: ['application/json'],
        responses: { '201': { description: 'Created', schema: ref('Named') }, ...ok(ref('Named')) },
      },
    ),
  },
  '/{connectionId}/beta/teams/conversation/message/poster/{poster}/location/{location}': {
    post: operation(
      'PostMessageToConversation',
      'Post message in a chat or channel',
      [
        inPath('poster', {
          'x-ms-dynamic-list': {
            operationId: 'GetPosters',
            parameters: {},
            itemsPath: 'value',
            itemValuePath: 'id',
            itemTitlePath: 'displayName',
          },
        }),
        inPath('location', { enum: ['Channel', 'Group chat'] }),
        body(
          {
            type: 'object',
            'x-ms-dynamic-schema': {
              operationId: 'GetMessageLayout',
              parameters: { poster: { parameter: 'poster' }, location: { parameter: 'location' } },
              'value-path': 'schema',
            },
            'x-ms-dynamic-properties': {
              operationId: 'GetMessageLayout',
              parameters: {
                poster: { parameterReference: 'poster' },
                location: { parameterReference: 'location' },
              },
              itemValuePath: 'schema',
            },
          },
          { name: 'Post message request' },
        ),
      ],
      { 'x-ms-visibility': 'important', ...family('PostMessage', 1) },
    ),
  },
  '/{connectionId}/v3/beta/teams/{groupId}/channels/{channelId}/messages': {
    post: operation(
      'PostMessageV3',
      'Post a message (V3)',
      [shared('groupId'), shared('channelId'), body(ref('NewMessage'))],
      {
        deprecated: true,
        ...family('PostMessage3', 3),
      },
    ),
  },
  '/{connectionId}/beta/teams/{groupId}/channels/{channelId}/messages': {
    get: operation(
      'GetMessagesFromChannel',
      'Get messages',
      [shared('groupId'), shared('channelId'), inQuery('$top', { type: 'integer', minimum: 1, maximum: 50 })],
      {
        responses: ok(rows(ref('Message'))),
        'x-ms-pageable': { nextLinkName: '@odata.nextLink' },
      },
    ),
    post: operation(
      'PostMessage',
      'Post a message',
      [shared('groupId'), shared('channelId'), body(ref('NewMessage'))],
      {
        deprecated: true,
        ...family('PostMessage3', 1),
      },
    ),
  },
  '/{connectionId}/beta/chats': {
    post: operation(
      'CreateChat',
      'Create a chat',
      [
        body(
          object(
            {
              topic: text('Title'),
              members: text('Members', {
                'x-ms-dynamic-values': {
                  builtInOperation: 'AadGraph.GetUsers',
                  parameters: {},
                  'value-path': 'id',
                },
              }),
            },
            ['members'],
          ),
        ),
      ],
      { responses: ok(ref('Named')) },
    ),
  },
  '/{connectionId}/beta/teams/{groupId}/tags': {
    post: operation('CreateTag', 'Create a tag', [
      shared('groupId'),
      inQuery('notify', { type: 'boolean', default: true, required: true, ...INTERNAL }),
      body(list(ref('Named'))),
    ]),
  },
  '/{connectionId}/beta/teams/{groupId}/schedule/shifts': {
    get: operation('GetAllShifts', 'List shifts', [shared('groupId')], {
      deprecated: true,
      'x-ms-api-annotation': {
        status: 'Production',
        replacement: { api: 'Shifts', operationId: 'ListShifts' },
      },
    }),
  },
  '/{connectionId}/v1.0/meetings': {
    post: operation('CreateMeeting', 'Create a meeting', [
      inQuery('calendarid', { 'x-ms-url-encoding': 'double' }),
      body(
        object(
          {
            subject: text('Subject'),
            isOnlineMeeting: { type: 'boolean', default: true, ...INTERNAL },
            provider: { type: 'string', default: 'here', ...INTERNAL },
          },
          ['subject', 'isOnlineMeeting'],
        ),
      ),
    ]),
  },
  '/{connectionId}/beta/tagging/hashtags': {
    get: operation(
      'ListHashtags',
      'List hashtags',
      [
        parameter('header', 'Scope-Group', {
          'x-ms-dynamic-list': {
            operationId: 'GetAllTeams',
            parameters: {},
            itemsPath: 'value',
            itemValuePath: 'id',
            itemTitlePath: 'displayName',
          },
        }),
      ],
      {
        responses: ok({ type: 'array', items: { type: 'string' } }),
      },
    ),
  },
  '/{connectionId}/httprequest': {
    post: operation(
      'HttpRequest',
      'Send an HTTP request',
      [
        parameter('header', 'Uri', { required: true }),
        parameter('header', 'Method', { required: true, enum: ['GET', 'POST'] }),
        body({ type: 'string', format: 'binary' }, { name: 'Body', required: false }),
      ],
      { 'x-ms-visibility': 'important' },
    ),
  },
  '/{connectionId}/flowbot/posters': {
    get: operation('GetPosters', 'Posters', [], { ...INTERNAL, responses: ok(rows(ref('Named'))) }),
  },
  '/{connectionId}/flowbot/layouts/{poster}/{location}': {
    get: operation('GetMessageLayout', 'Layout of a message', [inPath('poster'), inPath('location')], {
      ...INTERNAL,
      responses: ok(object({ schema: { type: 'object' } })),
    }),
  },
  '/{connectionId}/trigger/beta/teams/{groupId}/messages': {
    get: operation('OnNewMessage', 'When a message arrives', [shared('groupId')], {
      'x-ms-trigger': 'batch',
    }),
  },
  '/whr': {
    get: { operationId: 'WebhookResponse', parameters: [inQuery('id')], responses: ok(), ...INTERNAL },
  },
};

/** A chat service of our own making, with what captured chat connectors do. */
export const CHAT: ConnectorDocument = {
  name: 'chat',
  displayName: 'Corridor Chat',
  swagger: connectorDocument('chat', 'Corridor Chat', 'Teams, channels and messages of a small office.', {
    parameters: CHAT_PARAMETERS,
    paths: PATHS,
    definitions: CHAT_DEFINITIONS,
  }),
};
