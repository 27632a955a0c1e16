import type { Approval } from '../../../../gateway/src/operations/index.ts';

/** A request that came through the proxy: it is judged as it came, and its tool is none that has a page. */
export const isProxied = ({ tool }: Pick<Approval, 'tool'>): boolean => tool === 'ats-proxy';
