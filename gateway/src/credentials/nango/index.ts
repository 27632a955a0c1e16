export * from './connect-sessions.ts';
