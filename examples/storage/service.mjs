// A stand-in for the storage cluster on the loopback interface: two accounts, 120 images, a log of what changed.
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

const ROLES = { 'viewer-token': ['VIEWER'], 'operator-token': ['VIEWER', 'OPERATOR'] };
const POOLS = [
  { name: 'fast', gib: 4096, usedGib: 1024 },
  { name: 'slow', gib: 65536, usedGib: 40000 },
];
const IMAGES = Array.from({ length: 120 }, (_, index) => ({
  name: `image-${index}`,
  pool: index % 4 === 0 ? 'fast' : 'slow',
  gib: 10 + index,
  state: index % 10 === 0 ? 'mounted' : 'idle',
}));

const READS = {
  '/pools': () => POOLS,
  '/images': (query) => IMAGES.filter(({ pool }) => !query.has('pool') || pool === query.get('pool')),
  '/snapshots': () => [{ name: 'image-0@monday' }],
  '/servers': () => [{ name: 'node-1', up: true }],
};

export async function startStorage() {
  const log = [];
  const listener = (request, response) => {
    const answer = (status, body) => answerJson(response, status, body);
    const roles = ROLES[request.headers.authorization?.replace('Bearer ', '')];
    const { pathname, searchParams } = new URL(request.url, 'http://storage.test');
    if (roles === undefined) return answer(401, { error: 'no such token' });
    if (pathname === '/auth/token-info') return answer(200, { roles });
    if (request.method === 'GET') {
      const read = READS[pathname];
      return read === undefined ? answer(404, { error: 'not found' }) : answer(200, read(searchParams));
    }
    // the service decides too: nothing here depends on the gateway being right
    if (!roles.includes('OPERATOR')) return answer(403, { error: 'OPERATOR needed' });
    log.push(`${request.method} ${pathname}`);
    request.resume();
    return answer(pathname.endsWith('/restart') ? 202 : 201, { done: pathname });
  };
  return { ...(await listenOnLoopback(listener)), log };
}
