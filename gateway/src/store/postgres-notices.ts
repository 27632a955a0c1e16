import type { Client } from 'pg';
import { APPEND_CHANNEL } from './postgres-append.ts';
import { CHANGE_CHANNEL, type Notices } from './postgres-store.ts';
import { WATCH_CLIENT } from './watch-client.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

type Heard = Parameters<Notices['listen']>[0];

/**
 * LISTEN on a connection of its own, made again whenever it breaks. Keeps no process alive.
 * @param askMs how often the database is asked whether it is still there: who only listens hears nothing of a break
 */
export function postgresNotices(connect: () => Client, askMs: number): Notices {
  let ended = false;
  const open = new Set<Listening>();
  return {
    listen(on) {
      const listening = new Listening(connect, askMs, on);
      open.add(listening);
      if (!ended) void listening.start();
      return () => {
        open.delete(listening);
        void listening.stop();
      };
    },
    async close() {
      ended = true;
      await Promise.all([...open].map((listening) => listening.stop()));
      open.clear();
    },
  };
}

class Listening {
  readonly #connect: () => Client;
  readonly #askMs: number;
  readonly #on: Heard;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE_MS;
  #stopped = false;

  constructor(connect: () => Client, askMs: number, on: Heard) {
    this.#connect = connect;
    this.#askMs = askMs;
    this.#on = on;
  }

  async start(): Promise<void> {
    const client = this.#connect();
    this.#client = client;
    client.on('notification', ({ channel, payload }) => this.#on.notice(channel, payload ?? ''));
    // without a listener for `error` a broken connection would end the process
    client.on('error', () => this.#again(client));
    client.on('end', () => this.#again(client));
    try {
      await client.connect();
      await client.query(WATCH_CLIENT);
      await client.query(`listen ${CHANGE_CHANNEL}`);
      await client.query(`listen ${APPEND_CHANNEL}`);
      (client as Client & { unref?(): void }).unref?.();
    } catch {
      this.#again(client);
      return;
    }
    if (this.#client !== client || this.#stopped) return;
    this.#pause = FIRST_PAUSE_MS;
    this.#asking = askNowAndThen(client, this.#askMs);
    this.#on.lost();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#asking);
    const client = this.#client;
    this.#client = undefined;
    // Saying goodbye is something to stay alive for.
    (client as (Client & { ref?(): void }) | undefined)?.ref?.();
    await client?.end().catch(() => undefined);
  }

  #again(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearInterval(this.#asking);
    void client.end().catch(() => undefined);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.start(), this.#pause).unref();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }
}

/** One question at a time: who does not answer is not asked again. */
function askNowAndThen(client: Client, everyMs: number): NodeJS.Timeout {
  let isAsked = false;
  const ask = async () => {
    if (isAsked) return;
    isAsked = true;
    await client.query('select 1').catch(() => undefined);
    isAsked = false;
  };
  return setInterval(() => void ask(), everyMs).unref();
}
