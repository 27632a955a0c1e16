import { isObject, type Json, type JsonObject, servesConnection } from '../../operations/index.ts';
import type { ArmConnection } from '../connections.ts';
import { withoutValues } from './connection-body.ts';
import { answer, connectionArgument, type OwnCall, type OwnTool } from './own-tool.ts';

export const listConnections: OwnTool = {
  list: 'itself',
  async run(own) {
    const { room, signal } = own;
    const all = await room.listConnections(signal);
    const reachable = all.filter(({ name }) => servesConnection(room.settings, name));
    const rows = reachable
      .map((connection) => row(connection, own))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const { resourceGroup } = room.settings;
    const none = `Note: resource group ${resourceGroup} has no connections to serve. \`put_connection\` makes one; \`list_managed_apis\` shows for what.`;
    const connections = rows as unknown as Json;
    return answer(connections, { connections }, rows.length === 0 ? [none] : []);
  },
  plan: ({ room }) => ({ method: 'GET', path: room.connectionPath() }),
};

function row(connection: ArmConnection, { call, catalog, room }: OwnCall) {
  const { name, api, displayName, status, error, disabled, location, id } = connection;
  const problem = disabled ? undefined : room.apiProblem(api);
  return {
    name,
    api,
    displayName,
    status: disabled ? 'Disabled' : status,
    ...(error === undefined ? {} : { error: error.message ?? error.code ?? '' }),
    ...(location === undefined ? {} : { location }),
    tools: catalog.count(call.operation.source, name),
    ...(problem === undefined ? {} : { problem }),
    ...(id === undefined ? {} : { id }),
  };
}

export const getConnection: OwnTool = {
  async run(own) {
    const resource = await own.room.getConnection(connectionArgument(own), own.signal);
    return answer(shown(resource));
  },
  plan: (own) => ({ method: 'GET', path: own.room.connectionPath(connectionArgument(own)) }),
};

/** Requests that need a token of their own, and whatever was put in as a value, are nobody's to read. */
function shown(resource: JsonObject): JsonObject {
  const kept = withoutValues(resource);
  const { properties } = kept;
  if (!isObject(properties)) return kept;
  const { testLinks: _links, testRequests: _requests, ...rest } = properties;
  return { ...kept, properties: rest };
}

export const deleteConnection: OwnTool = {
  forAdmins: true,
  async run(own) {
    const { room, catalog, call, signal } = own;
    const name = connectionArgument(own);
    const removed = catalog.count(call.operation.source, name);
    await room.deleteConnection(name, signal);
    return answer({ deleted: name, toolsRemoved: removed });
  },
  plan: (own) => ({ method: 'DELETE', path: own.room.connectionPath(connectionArgument(own)) }),
};

export const getConsentLink: OwnTool = {
  forAdmins: true,
  async run(own) {
    const { room, signal } = own;
    const name = connectionArgument(own);
    const link = await room.consentLink(name, signal);
    return answer({ connection: name, link, message: consentMessage(name) });
  },
  plan: (own) => ({
    method: 'POST',
    path: `${own.room.connectionPath(connectionArgument(own))}/listConsentLinks`,
    apiVersion: '2018-07-01-preview',
  }),
};

export function consentMessage(connection: string): string {
  return `Open the link in a browser within ten minutes to sign "${connection}" in. Its tools work from then on.`;
}
