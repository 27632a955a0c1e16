import { isToolcribError } from '../../errors.ts';
import type { RawResult } from '../../executors/executor.ts';
import type { JsonObject } from '../../operations/index.ts';
import { reworded } from '../../operations/text/reworded.ts';
import { needsConsent } from '../connections.ts';
import type { PutConnection } from '../room.ts';
import { connectionToPut, maskedBody, withoutValues } from './connection-body.ts';
import { consentMessage } from './connections.ts';
import { answer, type OwnCall, type OwnTool } from './own-tool.ts';

/** Creates or changes a connection; its tools are there when the answer is. */
export const putConnection: OwnTool = {
  forAdmins: true,
  async run(own) {
    try {
      return await put(own);
    } catch (error) {
      throw asSaid(error);
    }
  },
  plan({ args, room }) {
    try {
      const { name, body } = connectionToPut(args, room);
      return { method: 'PUT', path: room.connectionPath(name), body: maskedBody(body) };
    } catch (error) {
      throw asSaid(error);
    }
  },
};

async function put(own: OwnCall): Promise<RawResult> {
  const { args, room, catalog, call, signal } = own;
  const { name, body } = connectionToPut(args, room);
  const { source } = call.operation;
  const apiBefore = room.connections().find((connection) => connection.name === name)?.api;
  const before = catalog.count(source, name);
  const done = await room.putConnection(name, body, signal);
  const { connection } = done;
  const registered =
    connection === undefined
      ? 0
      : catalog.count(source, connection.name) - (apiBefore === connection.api ? before : 0);
  const consent = await consentOf(done, own);
  const warnings = [done.warning, consent.warning].filter((text) => text !== undefined);
  const response: JsonObject = {
    connection: withoutValues(done.resource),
    ...(registered > 0
      ? {
          dynamicTools: {
            message: `${registered} new tools registered for ${connection?.api}`,
            registered,
          },
        }
      : {}),
    ...(consent.link === undefined ? {} : { consent: { link: consent.link, message: consentMessage(name) } }),
    ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }),
  };
  return answer(response, { ...response, registered: Math.max(0, registered) });
}

/** A new connection of an API that people sign in to comes back unauthenticated. */
async function consentOf(
  { connection }: PutConnection,
  { room, signal }: OwnCall,
): Promise<{ readonly link?: string; readonly warning?: string }> {
  if (connection === undefined || connection.disabled || !needsConsent(connection)) return {};
  try {
    return { link: await room.consentLink(connection.name, signal) };
  } catch (error) {
    const why = isToolcribError(error) ? error.message : 'an unexpected fault.';
    return { warning: `It is not signed in, and there is no consent link: ${why}` };
  }
}

/** `Error: …`, with what to do about it. */
function asSaid(error: unknown): unknown {
  if (!isToolcribError(error) || error.text !== undefined) return error;
  const { message, next } = error;
  return reworded(error, message, { text: `Error: ${message}\n${next}` });
}
