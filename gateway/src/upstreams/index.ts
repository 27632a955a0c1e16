export { createUpstreams } from './create-upstreams.ts';
export { openStdio } from './stdio/open-stdio.ts';
export type * from './upstreams.ts';
