import { z } from 'zod';
import { checkMayChange } from '../../../../principals/directory/actor.ts';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { CONNECT_SESSION, ID } from '../record-schemas.ts';
import { nangoOf } from './nango-links.ts';

export const createConnectSession = route({
  method: 'post',
  path: '/api/v1/connections/session',
  operationId: 'createConnectSession',
  summary: 'Open a page on which the caller connects an account',
  description:
    "Nango keeps the account's tokens. Record the connection afterwards with the connection id that the page ends with.",
  access: 'dangerous',
  tag: 'connections',
  body: z.strictObject({ source: ID }),
  response: { status: 201, description: 'The page; valid for half an hour.', schema: CONNECT_SESSION },
  handle: async ({ body }, { gateway, principal, signal }) => {
    checkMayChange({ principal });
    const { id, name, email } = await directoryOf(gateway).users.get(principal, principal.id);
    const nango = nangoOf(gateway, body.source);
    const endUser = { id, displayName: name, ...(email === null ? {} : { email }) };
    return nango.createConnectSession({ endUser, allowedIntegrations: [nango.integration] }, signal);
  },
});
