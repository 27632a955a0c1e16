import type { ConnectorDocument } from '../../doubles/arm/arm.ts';
import {
  body,
  connectorDocument,
  inPath,
  inQuery,
  object,
  ok,
  operation,
  text,
} from '../../doubles/arm/connectors/writing.ts';
import type { JsonObject } from '../../doubles/arm/json.ts';

const SLACK_READS = [
  'ListChannels',
  'ListUsers',
  'ListFiles',
  'ListPins',
  'ListReminders',
  'ListStars',
  'ListEmoji',
  'GetTeam',
  'GetProfile',
  'GetPresence',
  'GetTopic',
  'GetPurpose',
];

/** The API that the seed connects in its third sequence diagram: fifteen tools, nobody has to sign in. */
export const SLACK: ConnectorDocument = {
  name: 'slack',
  displayName: 'Slack',
  consent: false,
  swagger: connectorDocument('slack', 'Slack', 'Channels and messages.', {
    paths: {
      '/{connectionId}/chat.postMessage': {
        post: operation(
          'PostMessage',
          'Post message',
          [body(object({ channel: text('Channel'), text: text('Text') }, ['channel', 'text']))],
          { responses: ok(object({ ok: { type: 'boolean' } })) },
        ),
      },
      '/{connectionId}/channels/{channel}': {
        get: operation('GetChannel', 'Get a channel', [inPath('channel')], {
          responses: ok(object({ name: text('Name') })),
        }),
        post: operation('JoinChannel', 'Join a channel', [inPath('channel')]),
      },
      ...Object.fromEntries(
        SLACK_READS.map((id) => [
          `/{connectionId}/${id}`,
          { get: operation(id, id, [], { responses: ok(object({ name: text('Name') })) }) },
        ]),
      ),
    },
  }),
};
export const SLACK_TOOLS = SLACK_READS.length + 3;

/** A connector with as many operations of each rank. */
export function ranked(
  name: string,
  displayName: string,
  counts: { readonly important: number; readonly unset: number; readonly advanced: number },
  more: JsonObject = {},
): ConnectorDocument {
  const entries = Object.entries(counts).flatMap(([rank, count]) =>
    Array.from({ length: count }, (_, index) => {
      const id = `Get${rank[0]!.toUpperCase()}${rank.slice(1)}${index + 1}`;
      const visibility = rank === 'unset' ? {} : { 'x-ms-visibility': rank };
      const get = operation(id, `Get ${rank} thing ${index + 1}`, [inQuery('note')], {
        responses: ok(object({ name: text('Name') })),
        ...visibility,
      });
      return [`/{connectionId}/${rank}/${index + 1}`, { get }] as const;
    }),
  );
  const paths = { ...Object.fromEntries(entries), ...more };
  return {
    name,
    displayName,
    swagger: connectorDocument(name, displayName, 'Things of three ranks.', { paths }),
  };
}

/** A connector with these reading operations and nothing else. */
export function plain(name: string, ...operationIds: readonly string[]): ConnectorDocument {
  const paths = operationIds.map((id) => [
    `/{connectionId}/${id}`,
    { get: operation(id, `${id} of ${name}`, [], { responses: ok(object({ name: text('Name') })) }) },
  ]);
  return {
    name,
    displayName: `The ${name} service`,
    swagger: connectorDocument(name, `The ${name} service`, 'A few things.', {
      paths: Object.fromEntries(paths),
    }),
  };
}
