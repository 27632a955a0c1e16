export { createUpstreams, type UpstreamsDependencies } from './create-upstreams.ts';
export { type OpenStdioOptions, openStdio } from './open-stdio.ts';
export type { OpenedTransport, OpenTransport, ProcessCommand } from './transports/transport.ts';
export type * from './upstreams.ts';
