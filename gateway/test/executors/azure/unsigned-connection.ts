import type { Principal } from '../../../src/operations/index.ts';
import { type FakeRoom, type FakeRoomOptions, fakeRoom, inner, operationOf } from './connector-under-test.ts';

export const READ = operationOf({ operationId: 'ListThings' });
export const REFUSED = inner('Unauthorized', {
  error: { code: 'Unauthenticated', message: 'This connection is not authenticated.' },
});
export const LINK = 'https://consent.test/1';
export const TEXT = `Connection "mail" is not authenticated.\n\nPlease open this URL to consent:\n${LINK}\n\nAfter consenting, retry this tool call.`;

/** Refuses until the room holds the connection for signed in. */
export function unsigned(options: FakeRoomOptions = {}): FakeRoom {
  const room: FakeRoom = fakeRoom(() => (room.state === 'Connected' ? inner('OK', { ok: true }) : REFUSED), {
    status: 'Error',
    ...options,
  });
  return room;
}

export const user = (...roles: string[]): Principal => ({
  id: 'u1',
  kind: 'user',
  organisation: 'o1',
  maxAccess: 'write',
  roles,
});

export const opens = { elicitation: { url: {} } };
