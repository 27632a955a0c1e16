import type { ConnectionStatus } from '../../../gateway/src/operations/index.ts';

/** How an account at a provider stands. */
export const CONNECTION_WORDS: Readonly<Record<ConnectionStatus, string>> = {
  connected: 'connected',
  unauthenticated: 'to be connected again',
  disabled: 'account switched off',
  missing: 'not connected',
};
