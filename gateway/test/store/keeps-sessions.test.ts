import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { expect, it } from 'vitest';
import { keepsSessions } from '../../src/store/keeps-sessions.ts';
import type { Tables } from '../../src/store/tables.ts';

/** `serverOf`: which connection of the server answers the client's connection of that number, now. */
function databaseOf(serverOf: (client: number, held: ReadonlySet<number>) => number): Kysely<Tables> {
  let clients = 0;
  const held = new Map<number, number>();
  class Pooled extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      const client = ++clients;
      const answer = (_: CompiledQuery) => {
        const pid = held.get(client) ?? serverOf(client, new Set(held.values()));
        return Promise.resolve({ rows: [{ pid }] as never[] });
      };
      return { executeQuery: answer, streamQuery: null as never, client } as never;
    }
    override async beginTransaction(connection?: DatabaseConnection): Promise<void> {
      const { client } = connection as never as { client: number };
      held.set(client, serverOf(client, new Set(held.values())));
    }
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Pooled(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

it('holds where each connection has a server of its own', async () => {
  expect(await keepsSessions(databaseOf((client) => client))).toBe(true);
});

it('does not where a pooler gives the first server that is free', async () => {
  expect(await keepsSessions(databaseOf((_, held) => (held.has(1) ? 2 : 1)))).toBe(false);
});

it('does not where it gives them in turn', async () => {
  let next = 0;
  expect(await keepsSessions(databaseOf(() => ++next))).toBe(false);
});
