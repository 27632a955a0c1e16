import { lookup } from 'node:dns/promises';
import type { Resolve } from './egress.ts';

/** The operating system's resolver: hosts file, search domains, DNS. */
export const systemResolve: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' });
