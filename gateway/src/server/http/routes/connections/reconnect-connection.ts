import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { CONNECT_SESSION, ID } from '../record-schemas.ts';
import { nangoOf } from './nango-links.ts';

export const reconnectConnection = route({
  method: 'post',
  path: '/api/v1/connections/{id}/reconnect',
  operationId: 'reconnectConnection',
  summary: 'Open a page on which a lapsed account is connected again',
  description:
    'The connection keeps its id. For whoever may change it: admins of the organisation, and of an own one its user.',
  access: 'dangerous',
  tag: 'connections',
  params: z.object({ id: ID }),
  response: { status: 201, description: 'The page; valid for half an hour.', schema: CONNECT_SESSION },
  handle: async ({ params }, { gateway, principal, signal }) => {
    const { connections } = directoryOf(gateway);
    const record = await connections.get(principal, params.id);
    // Changing nothing passes the checks of a change: who may not change it may not connect it either.
    await connections.update(principal, record.id, {});
    const { credentials } = record;
    const kept = credentials === null || credentials === 'none' ? undefined : credentials.nango;
    if (kept?.connection === undefined) {
      throw new ToolcribError('record_invalid', 'The connection names no account that Nango keeps.', {
        pointer: '/credentials',
      });
    }
    const nango = nangoOf(gateway, record.source);
    const { connection, integration } = { ...kept, connection: kept.connection };
    return nango.createReconnectSession({ connection, integration }, signal);
  },
});
