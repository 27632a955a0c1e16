import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import {
  type ConfigurationInput,
  createGateway,
  type EmbedOptions,
  type Gateway,
} from '../../../../gateway/src/index.ts';
import { createSignInCodes, signInLink } from '../../../../gateway/src/server/http/sessions/index.ts';
import { slowAnswers } from './slow-answers.ts';

slowAnswers();

export interface RunningGateway {
  readonly gateway: Gateway;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Its state and, where a test writes any, its documents. */
  readonly folder: string;
  /** The address that signs in as the owner of this machine; once. */
  ownerLink(path?: string): Promise<string>;
  /** A client of its own, connected; closed with the gateway. */
  client(bearer?: string): Promise<Client>;
  close(): Promise<void>;
}

export interface StartOptions extends EmbedOptions {
  /** Of a gateway that was closed, to start it again. */
  readonly folder?: string;
  readonly port?: number;
}

/** A real gateway with a store on disk that serves the console of this run; closed after the test. */
export async function startGateway(
  configuration: ConfigurationInput,
  { folder: given, port = 0, ...options }: StartOptions = {},
): Promise<RunningGateway> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'toolcrib-browser-')));
  if (given === undefined) onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const stateDirectory = join(folder, 'state');
  const gateway = await createGateway(
    { stateDirectory, store: `sqlite:${join(folder, 'toolcrib.db')}`, ...configuration },
    { consoleFolder: inject('consoleFolder'), baseDirectory: folder, ...options },
  );
  const listening = await gateway.listen({ port });
  const { origin } = new URL(listening.url);
  const clients: Client[] = [];
  let closed: Promise<void> | undefined;
  const running: RunningGateway = {
    gateway,
    url: origin,
    port: listening.port,
    folder,
    async ownerLink(path = '/calls') {
      const link = new URL(signInLink(origin, await createSignInCodes(stateDirectory).create()));
      link.searchParams.set('back', path);
      return link.href;
    },
    async client(bearer) {
      const client = new Client({ name: 'browser-test', version: '1' });
      const headers: Record<string, string> =
        bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }),
      );
      clients.push(client);
      return client;
    },
    close: () =>
      (closed ??= (async () => {
        for (const client of clients) await client.close().catch(() => undefined);
        await gateway.close();
      })()),
  };
  onTestFinished(() => running.close());
  return running;
}

/** Signs this page in as the owner and waits for the page that was asked for. */
export async function signInAsOwner(page: Page, running: RunningGateway, path = '/calls'): Promise<void> {
  await page.goto(await running.ownerLink(path));
  await page.waitForURL(`${running.url}${path}`);
}
