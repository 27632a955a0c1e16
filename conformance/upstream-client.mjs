#!/usr/bin/env node
// A client under test for the official suite: a Toolcrib gateway whose only upstream is the address given, used to the
// full by an official client, so that the scenario server sees the gateway's upstream leg. Signs in where it must, as a
// person would by `toolcrib upstream login`. node upstream-client.mjs URL; the last line printed is what came of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { takeTurn } from './turns.mjs';
import { connectGateway, login, status } from './upstream-gateway.mjs';
import { useEverything } from './upstream-use.mjs';

const url = process.argv.at(-1);
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const isAuth = scenario.startsWith('auth/');
const isClientGrant = scenario.startsWith('auth/client-credentials');
const isLegacy = (process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '') < '2026';
/** The document that the suite's own client names; nothing is published there. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';
/** Of one person, before they give up. */
const SIGN_INS = 3;
const APPEARS_MS = 60_000;
const directory = mkdtempSync(join(tmpdir(), 'toolcrib-upstream-conformance-'));
const file = join(directory, 'toolcrib.json');

const endTurn = await takeTurn();
let outcome = 'failed';
try {
  writeFileSync(file, JSON.stringify(configuration()));
  outcome = isAuth && !isClientGrant ? await signedIn() : await used();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
  endTurn();
  console.log(outcome);
}

function configuration() {
  const oauth = {
    tokenFile: join(directory, 'tokens.json'),
    clientMetadataUrl: CLIENT_METADATA_URL,
    ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
    ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret }),
    ...(isClientGrant ? { grant: 'client_credentials' } : {}),
  };
  return {
    stateDirectory: join(directory, 'state'),
    // authorization servers of the suite are on this machine too
    egress: { allow: ['localhost', '127.0.0.1'] },
    sources: {
      up: {
        mcp: {
          url,
          patience: '60s',
          ...(isAuth ? { oauth } : {}),
        },
      },
    },
  };
}

/** `used`, or the code of the error that the first call ended with. */
async function used() {
  const gateway = await connectGateway(file, isLegacy);
  try {
    for (const until = Date.now() + APPEARS_MS; ; await pause(100)) {
      const { tools } = await gateway.listTools();
      if (tools.length > 0) return await useEverything(gateway, tools, context);
      const { ok, error } = await status(file);
      if (ok) return 'nothing to use';
      if (error.code !== 'upstream_unavailable' || Date.now() > until) return error.code;
    }
  } finally {
    await gateway.close();
  }
}

/** A person signs in, again when the server wants more, and gives up after a few times. */
async function signedIn() {
  let last = 'authorization_required';
  for (let attempt = 0; attempt < SIGN_INS && last === 'authorization_required'; attempt++) {
    const refused = await login(file);
    if (refused !== undefined) return refused;
    last = await used();
  }
  return last;
}
