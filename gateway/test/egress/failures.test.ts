import { expect, it } from 'vitest';
import { failureOf } from '../../src/egress/failures.ts';

it.each(['EMFILE', 'ENFILE'])('%s is a lack on this side, no fault of the service', (code) => {
  const error = Object.assign(new Error(`connect ${code}`), { code });
  const { sent, message } = failureOf(error, { host: 'api.example', sent: 'none', status: undefined });
  expect(sent).toBe('none');
  expect(message).toBe(
    `api.example was not connected to: too many files and connections are open on this side (${code})`,
  );
});
