import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHAT } from '../../gateway/test/doubles/arm/connectors/chat.ts';
import { MAIL } from '../../gateway/test/doubles/arm/connectors/mail.ts';

const BESIDE = fileURLToPath(new URL('../../../shared/data/arm', import.meta.url));

/** `office365` and `teams` where their documents lie beside the repository, else the small ones of the tests. */
export function connectors() {
  if (!existsSync(BESIDE)) {
    console.error('office365 and teams are absent: the small connectors of the tests are measured.');
    return [MAIL, CHAT];
  }
  return ['office365', 'teams'].map((name) => ({
    name,
    displayName: name,
    swagger: JSON.parse(readFileSync(`${BESIDE}/${name}-schema.json`, 'utf8')),
  }));
}

/** Several APIs with the document of one, each with a connection that is named like it. */
export function copies({ name, swagger }, count) {
  const apis = Array.from({ length: count }, (_, index) => ({
    name: `${name}-${index + 1}`,
    displayName: `${name} ${index + 1}`,
    swagger,
  }));
  return { connectors: apis, connections: apis.map((api) => ({ name: api.name, api: api.name })) };
}

/** Several connections to one API. */
export function connectionsTo(api, count) {
  const connections = Array.from({ length: count }, (_, index) => ({
    name: `${api.name}-${index + 1}`,
    api: api.name,
  }));
  return { connectors: [api], connections };
}
