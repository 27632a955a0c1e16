import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { startListening } from './listening-process.mjs';
import { changeLevels, seedTeam, tokensOf, writeConfiguration } from './team.mjs';

/**
 * Starts gateways on stores of their own: `none`, `sqlite` or `postgres` (a new database on the server that
 * TOOLCRIB_TEST_POSTGRES names), for one person (`local`) or with a seeded team.
 */
export function gatewayStarter({ toolcrib, upstream, folder, onStop }) {
  return async ({ name, store: kind, mode = 'team', users = 1, organisations = 1, rateLimit, node = [] }) => {
    const place = join(folder, name.replaceAll(/\W+/g, '-'));
    const store =
      kind === 'postgres' ? await newDatabase(onStop) : kind === 'none' ? kind : `sqlite:${place}/team.db`;
    const file = writeConfiguration(place, { store, mode, upstream, rateLimit });
    const seeding = performance.now();
    const team =
      mode === 'team' ? await seedTeam(toolcrib, store, { users, organisations }) : [{ tools: 30 }];
    const seeded = performance.now() - seeding;
    const listening = await startListening([...node, toolcrib, 'serve', '-c', file], {
      cwd: place,
      env: { ...process.env, ...tokensOf(organisations), XDG_STATE_HOME: join(place, 'xdg') },
    });
    onStop(listening.stop);
    const changing = (each) => changeLevels({ toolcrib, store, users: team, each });
    const size = async () => (kind === 'none' ? 0 : (await inspect(toolcrib, store)).bytes / 1e6);
    return {
      name,
      url: new URL(listening.mcp).origin,
      pid: listening.pid,
      stop: listening.stop,
      users: team,
      seeded,
      size,
      changing,
    };
  };
}

async function newDatabase(onStop) {
  const { default: pg } = await import('pg');
  const server = process.env.TOOLCRIB_TEST_POSTGRES;
  const name = `load_${randomBytes(6).toString('hex')}`;
  const run = async (statement) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create database ${name}`);
  onStop(() => run(`drop database ${name} with (force)`));
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

async function inspect(toolcrib, store) {
  const { inspectStore } = await import(join(dirname(toolcrib), '../dist/store/inspect.js'));
  return inspectStore(store);
}
