import { createDynamicSchemas } from '../../../src/executors/azure/dynamic-schema.ts';
import { createHelperCalls, type HelperCallOptions } from '../../../src/executors/azure/helper-calls.ts';
import {
  createParameterOptions,
  type OptionsQuestion,
} from '../../../src/executors/azure/parameter-options.ts';
import type { Json, JsonObject, Operation } from '../../../src/operations/index.ts';
import {
  connectionOf,
  type Envelope,
  type FakeRoom,
  type FakeRoomOptions,
  fakeRoom,
  inner,
  operationOf,
  QUICK,
} from './connector-under-test.ts';

/** Hidden: teams, and channels of a team; folders as a tree. */
export const HELPERS: readonly Operation[] = [
  operationOf({ operationId: 'ListTeams', path: '/teams' }),
  operationOf(
    {
      operationId: 'ListChannels',
      path: '/teams/{team}/channels',
      bindings: [
        { in: 'path', name: 'team', arg: 'team' },
        { in: 'query', name: 'kind', const: 'standard' },
      ],
    },
    { input: { type: 'object', properties: { team: { type: 'string' } }, required: ['team'] } },
  ),
  operationOf({ operationId: 'OpenFolders', path: '/folders' }),
  operationOf(
    {
      operationId: 'BrowseFolder',
      path: '/folders/{id}',
      bindings: [{ in: 'path', name: 'id', arg: 'id' }],
    },
    { input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
  ),
];

/** Posts to a channel of a team. */
export const POST = operationOf(
  {
    operationId: 'PostMessage',
    method: 'POST',
    path: '/post',
    bindings: [
      { in: 'query', name: 'team', arg: 'team' },
      { in: 'query', name: 'channel', arg: 'channel' },
      { in: 'query', name: 'folder', arg: 'folder' },
      { in: 'body', name: 'mentions', arg: 'mentions', contentType: 'application/json' },
    ],
    body: { contentType: 'application/json', required: false },
    choices: [
      {
        argument: '/team',
        kind: 'list',
        operation: 'ListTeams',
        parameters: {},
        items: 'value',
        value: 'id',
        title: 'name',
      },
      {
        argument: '/channel',
        kind: 'values',
        operation: 'ListChannels',
        parameters: { team: { argument: '/team' }, kind: { value: 'private' } },
        items: 'value',
        value: 'id',
        title: 'names/display',
      },
      {
        argument: '/mentions/*/channel',
        kind: 'list',
        operation: 'ListChannels',
        parameters: { team: { argument: '/mentions/*/team' } },
        items: 'value',
        value: 'id',
      },
      {
        argument: '/folder',
        kind: 'tree',
        operation: 'OpenFolders',
        parameters: {},
        value: 'Id',
        title: 'Name',
        isParent: '(IsFolder eq true)',
        browse: { operation: 'BrowseFolder', parameters: { id: { selected: 'Id' } }, items: 'value' },
      },
    ],
  },
  { access: 'write' },
);

/** A chat service, whose `answers` may change meanwhile; `post` answers everything that is no helper. */
export function chat(
  post: (request: Envelope) => ReturnType<typeof inner> = () => inner('OK', { ok: true }),
  options: FakeRoomOptions & { readonly answers?: Readonly<Record<string, Json>> } = {},
): FakeRoom {
  const answers: Readonly<Record<string, Json>> = {
    '/teams': {
      value: [
        { id: 't1', name: 'Sales' },
        { id: 't2', name: 'Marketing' },
        { id: 't1', name: 'again' },
        { name: 'without id' },
      ],
    },
    '/teams/t1/channels': { value: [{ id: 'c1', names: { display: 'General' } }] },
    '/teams/t2/channels': { value: [{ id: 'c2', names: { display: 'Launch' } }] },
    '/folders': [
      { Id: 'f1', Name: 'Inbox', IsFolder: true },
      { Id: 'f2', Name: 'note.txt', IsFolder: false },
    ],
    '/folders/f1': { value: [{ Id: 'f11', Name: 'Old', IsFolder: true }] },
  };
  return fakeRoom(
    (request) => {
      const { path } = request;
      const own = options.answers ?? {};
      const answer = Object.hasOwn(own, path) ? own[path] : answers[path];
      return answer === undefined ? post(request) : inner('OK', answer);
    },
    { helpers: HELPERS, ...options },
  );
}

/** Paths that were asked for, without the operation itself. */
export const asked = (room: FakeRoom): string[] =>
  room.envelopes.map(({ path }) => path).filter((path) => path !== '/post');

export const ids = (options: readonly { readonly value: Json }[] | undefined): Json[] =>
  (options ?? []).map(({ value }) => value);

export const args = (rest: JsonObject = {}): JsonObject => ({ team: 't1', channel: 'c1', ...rest });

/** What `get_parameter_options` finds for the POST at this room. */
export function finder(room: FakeRoom, rest: Partial<HelperCallOptions> = {}) {
  const helpers = createHelperCalls({ rooms: async () => room, retry: QUICK, ...rest });
  const find = createParameterOptions(helpers, createDynamicSchemas(helpers));
  return (given: JsonObject, question: Partial<OptionsQuestion> = {}) =>
    find({
      operation: POST,
      arguments: given,
      connection: connectionOf(),
      signal: new AbortController().signal,
      ...question,
    });
}
