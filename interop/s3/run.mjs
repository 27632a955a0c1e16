#!/usr/bin/env node
// The suites of stored artifacts against s3rver, an S3-compatible store on a loopback port with an empty folder.
// Node 24; exit 0 when they pass.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import S3rver from 's3rver';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const directory = mkdtempSync(join(tmpdir(), 'toolcrib-s3-'));
const store = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: 'artifacts' }],
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => tidy().finally(() => process.exit(1)));

try {
  const { port } = await store.run();
  const suites = spawn(process.execPath, [VITEST, 'run', '--project', 'gateway', 'test/artifacts'], {
    cwd: ROOT,
    env: { ...process.env, TOOLCRIB_TEST_S3: `http://127.0.0.1:${port}` },
    stdio: 'inherit',
  });
  const [code] = await once(suites, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await tidy();
}

async function tidy() {
  await store.close().catch(() => undefined);
  rmSync(directory, { recursive: true, force: true });
}
