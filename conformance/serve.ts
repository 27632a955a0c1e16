// Serves the fixture by the real gateway: over HTTP with `--port N`, otherwise on standard input and output.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseConfiguration } from '../gateway/src/config/index.ts';
import { createGateway } from '../gateway/src/gateway.ts';
import { fixture } from './fixture.ts';

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const directory = await mkdtemp(join(tmpdir(), 'toolcrib-conformance-'));
const configuration = await parseConfiguration(
  {
    name: 'toolcrib-conformance',
    topology: 'flat',
    stateDirectory: directory,
    sources: { skills: { skills: fileURLToPath(new URL('skills', import.meta.url)) } },
  },
  { env: process.env, baseDirectory: directory },
);
const gateway = await createGateway({ ...configuration, watch: false }, { functions: { fixture } });
const end = Promise.withResolvers<void>();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end.resolve());
if (values.port === undefined) {
  await Promise.race([gateway.serveStdio(), end.promise]);
} else {
  const { url } = await gateway.listen({ host: '127.0.0.1', port: Number(values.port) });
  console.log(url);
  await end.promise;
}
await gateway.close();
await rm(directory, { recursive: true, force: true });
