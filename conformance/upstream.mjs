// The client scenarios of the official suite, with a gateway as the client: its upstream leg is what they see.
// Runs what both protocol revisions require; exit 0 when all of it passes, every scenario came to the end that it should,
// and what fails of the rest is named here with its reason.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './started-gateway.mjs';
import { giveTurns } from './turns.mjs';

/** Scenarios that version 0.2.0-alpha.12 of the suite requires of a client. */
const REQUIRED = { '2025-11-25': 18, '2026-07-28': 32 };
/** Scenarios that may fail, with the reason; the suite requires none of these. An entry that passes is stale. */
const EXCEPTIONS = {
  'auth/client-credentials-jwt':
    'extension: clients prove who they are by a secret, not by a signed assertion',
  'auth/enterprise-managed-authorization': 'extension: a token of an identity provider is not exchanged',
  'auth/dpop': 'extension: tokens are Bearer tokens',
  'auth/dpop-nonce': 'extension: tokens are Bearer tokens',
  'auth/wif-jwt-bearer': 'extension: workload identities are not exchanged',
  'json-schema-2020-12-preservation':
    'added after both releases: definitions are published without $schema and anchors that nothing refers to',
};
/** How a scenario ends where it does not end with every tool called. */
const ENDS = {
  initialize: ['nothing to use'],
  'request-metadata': ['nothing to use'],
  // the only tool cannot be understood without fetching what its schema refers to
  'json-schema-ref-no-deref': ['nothing to use'],
  // the server answers 410 once it has refused often enough
  'auth/scope-retry-limit': ['authorization_required', 'upstream_failed', 'upstream_unavailable'],
  'auth/resource-mismatch': ['credentials_refused'],
  'auth/metadata-issuer-mismatch': ['credentials_refused'],
  'auth/iss-supported-missing': ['credentials_refused'],
  'auth/iss-wrong-issuer': ['credentials_refused'],
  'auth/iss-unexpected': ['credentials_refused'],
  'auth/iss-normalized': ['credentials_refused'],
};
/** Milliseconds for one scenario, in which it waits for its turn: the suite starts all of them at once. */
const LIMIT_MS = 300_000;
const AT_ONCE = 3;

const suite = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const client = fileURLToPath(new URL('upstream-client.mjs', import.meta.url));
const output = await mkdtemp(join(tmpdir(), 'toolcrib-upstream-results-'));
const turns = await giveTurns(AT_ONCE);
const excused = new Set();
const passed = new Set();
try {
  for (const [revision, required] of Object.entries(REQUIRED)) await check(revision, required);
  for (const name of Object.keys(EXCEPTIONS)) {
    if (!excused.has(name)) complain(`the exception ${name} explains nothing any more`);
  }
  for (const name of Object.keys(ENDS)) {
    if (!passed.has(name)) complain(`the end of ${name} is given, and it did not pass`);
  }
} finally {
  turns.close();
  await rm(output, { recursive: true, force: true });
}

async function check(revision, required) {
  const results = join(output, revision);
  const command = `"${process.execPath}" "${client}"`;
  const asked = ['--command', command, '--requirements', revision, '--timeout', String(LIMIT_MS)];
  const result = await run([suite, 'client', ...asked, '--verbose', '-o', results], {
    timeoutMs: 2 * LIMIT_MS,
  });
  const scenarios = await scored(result.stdout, results);
  const counted = scenarios.filter(({ isRequired }) => isRequired);
  const passing = counted.filter(({ ok }) => ok);
  console.log(`${revision}: ${passing.length} of ${required} required scenarios pass`);
  if (counted.length !== required)
    complain(`${counted.length} ran, ${required} are required\n${result.stderr}`);
  for (const scenario of scenarios) judge(scenario);
}

function judge({ name, isRequired, ok, end, said }) {
  const ends = ENDS[name] ?? ['used'];
  if (ok && ends.includes(end)) passed.add(name);
  else if (Object.hasOwn(EXCEPTIONS, name)) excused.add(name);
  else
    complain(
      `${isRequired ? '' : 'not scored: '}${name} ended with "${end}"${ok ? '' : '; checks fail'}\n${said}`,
    );
}

function complain(what) {
  console.log(`✗ ${what}`);
  process.exitCode = 1;
}

/** The rows of the suite's summary, each with the last line of what its client printed. */
async function scored(stdout, results) {
  const summary = stdout.slice(stdout.indexOf('=== SUITE SUMMARY ==='));
  const [rows, rest = ''] = summary.split(/^Not scored for .*$/m);
  const unscored = new Set([...rest.matchAll(/^ +[✓✗] (\S+)/gm)].map(([, name]) => name));
  const folders = await readdir(results, { recursive: true });
  return Promise.all(
    [...rows.matchAll(/^([✓✗]) (\S+): .*(?:\n {4}.*)*/gm)].map(async ([said, mark, name]) => {
      const folder = folders.find((one) => /-\d{4}-\d{2}-\d{2}T[^/\\]*$/.test(one) && isOf(one, name));
      const read = (file) => readFile(join(results, folder, file), 'utf8').catch(() => '');
      const [printed, errors] = await Promise.all([read('stdout.txt'), read('stderr.txt')]);
      const end = printed.trimEnd().split('\n').at(-1);
      const isRequired = !unscored.has(name);
      return { name, isRequired, ok: mark === '✓', end, said: `${said}\n${printed}${errors}` };
    }),
  );
}

/** A folder is named after the scenario and the time. */
function isOf(folder, name) {
  return folder.replaceAll('\\', '/').replace(/-\d{4}-\d{2}-\d{2}T[^/]*$/, '') === name;
}
