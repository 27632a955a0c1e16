import type { Operation } from '../../operations/index.ts';
import type { RawResult } from '../executor.ts';
import type { ConnectorRoom } from './connector-room.ts';
import { azureOf, type ConnectorRequest } from './envelope.ts';
import { armRequest } from './send.ts';

/** What would be sent, without a token. */
export function plannedResult(
  room: ConnectorRoom,
  operation: Operation,
  request: ConnectorRequest,
): RawResult {
  const arm = armRequest(room, azureOf(operation), request);
  return {
    kind: 'request',
    request: {
      method: arm.method,
      url: room.url(arm),
      headers: [['content-type', 'application/json']],
      body: JSON.stringify(arm.body),
    },
  };
}
