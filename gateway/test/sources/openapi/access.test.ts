import { describe, expect, it } from 'vitest';
import { accessOf, safetyOf } from '../../../src/sources/openapi/access.ts';
import { describeOne, jsonBody, openapi, post } from './describing.ts';

const access = (method: string, operationId?: string, path = '/things', node = {}): string =>
  accessOf({ method, path, operationId, node });

describe('accessOf', () => {
  it.each<[string, string | undefined, string, string]>([
    ['GET', undefined, '/things', 'read'],
    ['HEAD', undefined, '/things', 'read'],
    ['OPTIONS', undefined, '/things', 'read'],
    ['QUERY', undefined, '/things', 'read'],
    ['DELETE', 'getThing', '/things', 'delete'],
    ['PUT', 'searchThings', '/search', 'write'],
    ['PATCH', undefined, '/things', 'write'],
    ['POST', undefined, '/things', 'write'],
    ['COPY', undefined, '/things', 'write'],
    ['TRACE', undefined, '/things', 'dangerous'],
    ['CONNECT', undefined, '/things', 'dangerous'],
    // a POST that only searches
    ['POST', 'searchThings', '/things', 'read'],
    ['POST', 'list-things', '/things', 'read'],
    ['POST', 'find_things', '/things', 'read'],
    ['POST', undefined, '/things/search', 'read'],
    ['POST', undefined, '/things:search', 'read'],
    ['POST', undefined, '/{index}/_search', 'read'],
    ['POST', 'things.query', '/things/query', 'read'],
    // and one that only sounds like it
    ['POST', 'createSearch', '/search', 'write'],
    ['POST', 'search_delete_index', '/x', 'write'],
    ['POST', 'listenTo', '/x', 'write'],
    ['POST', 'saveSearch', '/searches', 'write'],
    ['POST', 'querySql', '/query', 'write'],
    ['POST', 'runQuery', '/query', 'write'],
    ['POST', 'query', '/graphql', 'write'],
    ['POST', 'queryGraphQL', '/v1', 'write'],
    ['POST', undefined, '/cypher/query', 'write'],
    ['POST', 'startSearch', '/search', 'write'],
    // deleting by another method
    ['GET', 'deleteThing', '/things', 'delete'],
    ['GET', undefined, '/things/remove', 'delete'],
    ['GET', 'listDeletedThings', '/deleted', 'read'],
    ['POST', 'deleteThings', '/things', 'delete'],
    ['POST', undefined, '/things/delete', 'delete'],
    ['PUT', 'removeMember', '/members', 'delete'],
    ['GET', undefined, '/files.delete', 'delete'],
    ['GET', undefined, '/Files/{id}/Delete', 'delete'],
    ['GET', undefined, '/files/delete/{id}', 'delete'],
    ['POST', undefined, '/pins/remove/{kind}/{path}', 'delete'],
    ['GET', undefined, '/removed/{id}', 'read'],
    ['POST', undefined, '/delete-requests/{id}', 'write'],
    // by a name whose first word is no verb
    ['POST', 'chat_delete', '/chat.delete', 'delete'],
    ['POST', 'gmail.users.messages.batchDelete', '/messages/batchDelete', 'delete'],
    ['POST', 'usersBulkDelete', '/users/bulk', 'delete'],
    ['POST', 'post_users_bulk_delete', '/users/bulk', 'delete'],
    ['POST', undefined, '/deleteUser', 'delete'],
    ['POST', undefined, '/v1/{name}:delete', 'delete'],
    ['POST', undefined, '/networks/{id}/actions/delete_route', 'delete'],
    ['PUT', 'put_files_id#remove_shared_link', '/files/{id}', 'delete'],
    ['POST', undefined, '/{index}/_delete_by_query', 'delete'],
    ['POST', undefined, '/{index}/_update_by_query', 'write'],
    ['POST', 'byQuery', '/{index}/_update_by_query', 'write'],
    ['POST', 'VolumePrune', '/volumes/prune', 'delete'],
    ['POST', 'operationsRmdir', '/operations/rmdir', 'delete'],
    ['POST', 'operationsDeletefile', '/operations/deletefile', 'delete'],
    ['GET', 'removeuser', '/users', 'delete'],
    // by emptying or dropping
    ['POST', 'emptyTrash', '/trash/all', 'delete'],
    ['POST', 'emptyRequestJournal', '/__admin/requests/reset', 'delete'],
    ['POST', undefined, '/trash/empty', 'delete'],
    ['POST', undefined, '/v2/vectordb/collections/drop', 'delete'],
    ['POST', 'dropCollection', '/collections/{name}/gone', 'delete'],
    ['GET', 'emptyFolders', '/folders/empty', 'read'],
    ['GET', undefined, '/drops/drop', 'read'],
    ['POST', 'createEmptyFolder', '/folders/empty', 'write'],
    ['POST', 'empty', '/things/{id}', 'write'],
    ['POST', 'dropFile', '/uploads', 'write'],
    ['POST', 'addDrop', '/drops', 'write'],
    ['POST', 'restore_deleteditems', '/deleteditems', 'write'],
    ['GET', 'deletes', '/deletes', 'read'],
    // by one that only speaks of it
    ['GET', 'preview_prune_members', '/members/prune', 'read'],
    ['POST', 'createDeleteRequest', '/delete-requests', 'write'],
    ['POST', undefined, '/jobs/{id}/cancel_delete', 'write'],
    ['POST', 'get_delete_status', '/status', 'write'],
    ['PATCH', 'PATCH_mail_settings-bounce_purge', '/mail_settings/bounce_purge', 'write'],
    ['POST', 'undeleteThing', '/things/{id}/undelete', 'write'],
    // changing by GET
    ['GET', 'createThing', '/things', 'write'],
    ['GET', undefined, '/things/create', 'write'],
    ['GET', undefined, '/things/update/{id}', 'write'],
    ['GET', 'getUpdate', '/things/update', 'read'],
    ['GET', undefined, '/session/sign-out', 'write'],
    ['GET', 'getLogout', '/logout', 'write'],
    ['GET', 'logoutUrl', '/logout-url', 'read'],
    ['GET', undefined, '/delete-thing', 'delete'],
    ['GET', undefined, '/things/remove_tag/{id}', 'delete'],
    ['GET', undefined, '/delete-user/callback', 'delete'],
    ['GET', undefined, '/delete-requests/{id}', 'read'],
    ['GET', undefined, '/things/delete-status', 'read'],
    ['GET', undefined, '/things/delete-protection', 'read'],
    ['GET', undefined, '/deleted-things', 'read'],
    ['GET', 'getDeletion', '/delete-thing', 'read'],
    ['HEAD', undefined, '/delete-thing', 'read'],
    ['GET', undefined, '/things/updates', 'read'],
    ['GET', undefined, '/send-mail', 'write'],
    ['GET', undefined, '/things/{id}/startJob/{job}', 'write'],
    ['GET', undefined, '/things/set_theme', 'write'],
    ['GET', 'getMail', '/send-mail', 'read'],
    ['HEAD', undefined, '/send-mail', 'read'],
    ['GET', undefined, '/things/update-status', 'read'],
    ['GET', undefined, '/things/update-history', 'read'],
    ['GET', undefined, '/things/restore-jobs', 'read'],
    ['GET', undefined, '/things/start-date', 'read'],
    ['GET', undefined, '/add-ons', 'read'],
    ['HEAD', undefined, '/things/create', 'read'],
    ['GET', 'exportThings', '/things', 'read'],
    ['GET', 'RefreshLibrary', '/Library/Refresh', 'write'],
    ['GET', 'setText', '/setText', 'write'],
    ['GET', 'movePad', '/movePad', 'write'],
    ['GET', 'restoreRevision', '/restoreRevision', 'write'],
    ['GET', 'appendText', '/appendText', 'write'],
    ['GET', undefined, '/posts/{id}/publish', 'write'],
    ['GET', undefined, '/unsubscribe/{token}', 'write'],
    ['GET', 'activateAccount', '/accounts/{token}', 'write'],
    ['GET', 'published', '/published', 'read'],
    ['GET', 'InvokeInfrastructureQuery', '/$/InvokeInfrastructureQuery', 'read'],
    ['GET', undefined, '/sync', 'read'],
    ['GET', undefined, '/uploads/{id}', 'read'],
    ['GET', 'copies_list', '/copies', 'read'],
    ['GET', 'savedSearches', '/saved', 'read'],
    // by a name that says its method at the end
    ['GET', 'createGroupUsingGET', '/createGroup', 'write'],
    ['GET', 'setTextUsingGET_1', '/setText', 'write'],
    ['GET', 'getTextUsingGET', '/getText', 'read'],
    ['POST', 'listPadsUsingPOST', '/listPads', 'read'],
    ['POST', 'padsUsingPOST', '/pads', 'write'],
    ['GET', 'update_status', '/update', 'read'],
    ['GET', 'upload_retrieve', '/uploads/{id}', 'read'],
    // by a name that says its class first
    ['GET', 'UsersController_sendInvite', '/users/{id}/invite', 'write'],
    ['GET', 'UsersController_removeUser_v1', '/users/{id}/gone', 'delete'],
    ['GET', 'UsersController_findAll', '/users', 'read'],
    ['POST', 'ProductsController_search', '/products/by-name', 'read'],
    ['POST', 'TodoController.deleteAll', '/todos', 'delete'],
    ['POST', 'JobsController_createDeleteRequest', '/jobs', 'write'],
    ['PUT', 'LogController_truncateLogFile', '/log/truncate', 'delete'],
    // by a name that a framework made of method and path
    ['GET', 'send_mail_send_mail_get', '/send-mail', 'write'],
    ['GET', 'cancel_order_orders__id__cancel_get', '/orders/{id}/cancel', 'write'],
    ['GET', 'drop_user_users__id__gone_get', '/users/{id}/gone', 'read'],
    ['GET', 'remove_user_users__id__gone_get', '/users/{id}/gone', 'delete'],
    ['GET', 'read_update_updates__id__get', '/updates/{id}', 'read'],
    ['GET', 'updates_updates_get', '/updates', 'read'],
    ['POST', 'list_thing_things_list_post', '/things/list', 'write'],
    ['POST', 'search_things_things_update_post', '/things/update', 'write'],
    ['GET', 'getSend-mail', '/send-mail', 'write'],
    ['GET', 'getApiTokensResetByToken', '/api/tokens/reset/{token}', 'write'],
    ['GET', 'getDelete-userById', '/delete-user/{id}', 'delete'],
    ['POST', 'postUsersDeleteNowById', '/users/delete-now/{id}', 'delete'],
    ['GET', 'getThingsById', '/things/{id}', 'read'],
    ['GET', 'get-things-update-status', '/things/update-status', 'read'],
    ['GET', 'sendMailGet', '/send-mail', 'write'],
    ['GET', 'thingsIdGet', '/things/{id}', 'read'],
    ['GET', 'users_send_mail_retrieve', '/api/users/{id}/send-mail/', 'write'],
    ['GET', 'users_send_mail_retrieve_2', '/api/users/{id}/send-mail/', 'write'],
    ['GET', 'move_retrieve', '/api/move/{id}/', 'read'],
    ['GET', 'update_list', '/api/update/', 'read'],
    // by one that says only what it is about
    ['GET', 'mail.send', '/mail/send', 'write'],
    ['GET', 'shop_api_send_mail', '/api/send-mail', 'write'],
    ['GET', 'shop_api_delete_user', '/api/delete-user/{id}', 'delete'],
    ['GET', 'shop_api_mail', '/api/mail', 'read'],
    ['GET', 'mail_getSend', '/mail/send', 'read'],
    // requests within one
    ['POST', undefined, '/$batch', 'delete'],
    ['POST', undefined, '/v1/batch', 'write'],
    ['GET', undefined, '/$batch', 'read'],
  ])('%s %s %s → %s', (method, operationId, path, expected) => {
    expect(access(method, operationId, path)).toBe(expected);
  });

  it.each<[string, object, string]>([
    ['POST', { summary: 'Deletes a watermark.' }, 'delete'],
    ['POST', { summary: 'Erase the database and restart' }, 'delete'],
    ['POST', { summary: 'Erase requests' }, 'write'],
    ['POST', { summary: 'Removes every item' }, 'delete'],
    ['POST', { summary: 'Clear all logs' }, 'delete'],
    ['PUT', { summary: 'Empties all of the trash' }, 'delete'],
    ['POST', { summary: 'Clear a cache' }, 'write'],
    ['POST', { summary: 'Remove a user from a group' }, 'write'],
    ['POST', { summary: 'Mark all as read' }, 'write'],
    ['POST', { summary: 'Permanently erases a device.' }, 'delete'],
    ['PUT', { description: 'permanently delete the image and replace it' }, 'delete'],
    ['POST', { summary: 'Delete request', description: 'Asks for it.' }, 'write'],
    ['POST', { summary: 'Put an image in place', description: 'Deletes the other one.' }, 'write'],
    ['POST', { summary: 'Deleted things' }, 'write'],
    ['PATCH', { summary: 'Delete a field' }, 'write'],
    ['GET', { summary: 'Delete log' }, 'read'],
    ['GET', { summary: 'Creates one' }, 'read'],
    ['POST', { summary: { toString: 1 }, description: 'Deletes it.' }, 'delete'],
  ])('%s that says %j → %s', (method, node, expected) => {
    expect(access(method, 'thing', '/things', node)).toBe(expected);
  });

  it('a GET whose path says that it changes something and whose text says that it looks reads', () => {
    const path = '/system/update';
    expect(access('GET', undefined, path, { summary: 'Update the system' })).toBe('write');
    expect(access('GET', undefined, path, { summary: 'Get the state of an update' })).toBe('read');
    expect(access('GET', undefined, path, { description: 'Returns what is new.' })).toBe('read');
    expect(access('GET', undefined, '/send-mail', { summary: 'Show the form' })).toBe('read');
    expect(access('GET', undefined, '/delete-user', { summary: 'Get what a deletion takes' })).toBe('read');
  });

  it.each<[string, readonly unknown[], string]>([
    ['cmd', ['LIST', 'DISABLE ALL', 'RESET'], 'write'],
    ['command', ['status', 'restart-all'], 'write'],
    ['cmd', ['list', 'purge'], 'delete'],
    ['cmd', ['LIST', 'VERSION', 7], 'read'],
    ['action', ['create', 'delete'], 'read'],
  ])('a GET whose %s may be one of %j', async (name, values, expected) => {
    const schema = { $ref: '#/components/schemas/Value' };
    const parameters = [{ name, in: 'query', schema }];
    const paths = { '/manage/health': { get: { operationId: 'getHealth', parameters, responses: {} } } };
    const more = { components: { schemas: { Value: { enum: values } } } };
    const { operation } = await describeOne(openapi(paths, more));
    expect(operation.access).toBe(expected);
    expect(operation.safety.idempotent).toBe(expected !== 'write');
  });

  it.each<[string, string | undefined, string]>([
    ['Execute a collector function.', undefined, 'write'],
    ['Reset all counters', undefined, 'write'],
    ['Execute a collector function.', 'fetchFunction', 'read'],
    ['Set of rules', undefined, 'read'],
    ['Update history of the device', undefined, 'read'],
    ['Start the day with a list', 'listDays', 'read'],
  ])('a GET without a name of its own that is said to %j (%s)', (summary, operationId, expected) => {
    expect(access('GET', operationId, '/function', { summary })).toBe(expected);
  });

  it('a search whose summary is no text reads all the same', () => {
    expect(access('POST', 'searchThings', '/things', { summary: { toString: 1 } })).toBe('read');
  });

  it('x-toolcrib-access wins, a word it does not know does not', () => {
    expect(access('POST', undefined, '/x', { 'x-toolcrib-access': 'read' })).toBe('read');
    expect(access('GET', undefined, '/x', { 'x-toolcrib-access': 'dangerous' })).toBe('dangerous');
    expect(access('DELETE', undefined, '/x', { 'x-toolcrib-access': 'harmless' })).toBe('delete');
  });

  it('a description that speaks of SQL keeps a query a write', () => {
    expect(access('POST', 'queryDatabase', '/db/query', { description: 'Runs a SQL statement.' })).toBe(
      'write',
    );
  });
});

describe('a query of a language that writes as well', () => {
  const query = { operationId: 'd1-query-database', summary: 'Query D1 Database', responses: {} };
  const queries = async (schema: object, schemas: object = {}) => {
    const paths = post({ ...query, ...jsonBody(schema) }, '/d1/database/query');
    return (await describeOne(openapi(paths, { components: { schemas } }))).operation;
  };
  const single = { type: 'object', required: ['sql'], properties: { sql: { type: 'string' } } };

  it.each<[string, object, object?]>([
    ['a member called sql', single],
    [
      'one of a form that is referred to',
      { oneOf: [{ $ref: '#/components/schemas/Single' }, { type: 'object', required: ['batch'] }] },
      { Single: single },
    ],
    ['sqlQuery', { type: 'object', properties: { sqlQuery: { type: 'string' } } }],
    ['raw_sql', { type: 'object', properties: { raw_sql: { type: 'string' } } }],
    [
      'a member whose text says so',
      { type: 'object', properties: { query: { type: 'string', description: 'SQL statement to run' } } },
    ],
  ])('%s makes it a write, which is never repeated', async (_, schema, components) => {
    const { access, safety } = await queries(schema, components);
    expect([access, safety.idempotent]).toEqual(['write', false]);
  });

  it.each<[string, object]>([
    ['a filter', { type: 'object', properties: { filter: { type: 'string' } } }],
    [
      'a pattern like those of SQL',
      {
        type: 'object',
        properties: { name: { type: 'string', description: 'With % and _, as SQL has it' } },
      },
    ],
  ])('%s leaves it reading', async (_, schema) => {
    expect((await queries(schema)).access).toBe('read');
  });
});

describe('safetyOf', () => {
  it.each([
    ['GET', 'read', false, true],
    ['PUT', 'write', false, true],
    ['POST', 'write', false, false],
    ['PATCH', 'write', false, false],
    ['DELETE', 'delete', true, true],
    ['GET', 'delete', true, true],
    ['GET', 'write', false, false],
  ] as const)('%s %s', (method, level, destructive, idempotent) => {
    expect(safetyOf(method, level)).toEqual({
      network: true,
      file: false,
      destructive,
      idempotent,
      openWorld: true,
    });
  });
});
