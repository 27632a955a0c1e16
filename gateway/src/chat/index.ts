export { createChat } from './create-chat.ts';
export type * from './options.ts';
