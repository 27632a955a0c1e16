import type { JsonObject } from '../json.ts';
import { inPath, object, text } from './writing.ts';

/** Shared by the operations of a team and a channel. */
export const CHAT_PARAMETERS: JsonObject = {
  groupId: inPath('groupId', {
    'x-ms-summary': 'Team',
    'x-ms-dynamic-values': {
      operationId: 'GetAllTeams',
      parameters: {},
      'value-collection': 'value',
      'value-path': 'id',
      'value-title': 'displayName',
    },
  }),
  channelId: inPath('channelId', {
    'x-ms-summary': 'Channel',
    'x-ms-dynamic-list': {
      operationId: 'GetChannelsForGroup',
      parameters: { groupId: { parameterReference: 'groupId' } },
      itemsPath: 'value',
      itemValuePath: 'id',
      itemTitlePath: 'displayName',
    },
  }),
};

/** What teams, channels and messages look like. */
export const CHAT_DEFINITIONS: JsonObject = {
  Named: object({ id: text('Id'), displayName: text('Name') }, ['displayName']),
  Message: object({
    id: text('Id'),
    body: object({ content: text('Content') }),
    createdDateTime: text('Created', { format: 'date-time' }),
  }),
  NewMessage: object(
    {
      subject: text('Subject'),
      body: object(
        { content: text('Content'), contentType: text('Form', { enum: ['0', '1'], default: '1' }) },
        ['content'],
      ),
    },
    ['body'],
  ),
};
