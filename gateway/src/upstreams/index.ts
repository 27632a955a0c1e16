export { createUpstreams } from './create-upstreams.ts';
export { openStdio } from './open-stdio.ts';
export type * from './upstreams.ts';
