import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { type CroitDouble, type CroitTokenName, startCroitDouble } from '../../doubles/croit/croit.ts';
import { type ConnectOptions, type CroitClient, connectClient } from './croit-client.ts';
import { type Document, readDocument } from './croit-document.ts';

/** A gateway with the preset in front of the double, listening; closed with everything that was connected to it. */
export interface CroitGateway {
  readonly croit: CroitDouble;
  readonly gateway: Gateway;
  /** Where it listens. */
  readonly url: string;
  readonly folder: string;
  connect(options?: ConnectOptions): Promise<CroitClient>;
  /** Writes the token that the gateway signs in with. */
  signIn(token: CroitTokenName): Promise<void>;
  close(): Promise<void>;
}

export interface CroitGatewayOptions {
  readonly token?: CroitTokenName;
  readonly document?: Document;
  /** One source for each of these tokens, with its name, in place of `ceph`. */
  readonly sources?: readonly CroitTokenName[];
  /** Beside `preset`, `baseUrl` and `credentials`. */
  readonly source?: object;
  /** Beside the sources. */
  readonly configuration?: object;
}

/** The configuration file is written, too, for commands beside the running gateway. */
export async function startCroitGateway({
  token = 'admin',
  document = readDocument(),
  source = {},
  configuration = {},
  sources,
}: CroitGatewayOptions = {}): Promise<CroitGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-croit-'));
  const croit = await startCroitDouble({ document });
  const fileOf = (name: string) => join(folder, `${name}.token`);
  const signIn = (name: CroitTokenName, to = 'ceph') => writeFile(fileOf(to), croit.tokens[name]);
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await signIn(token);
  for (const name of sources ?? []) await signIn(name, name);
  const settingsOf = (name: string) => ({
    openapi: './openapi.json',
    preset: 'croit',
    prefix: sources === undefined ? 'none' : name,
    baseUrl: new URL(croit.url).origin,
    credentials: { bearer: { file: fileOf(name) } },
    ...source,
  });
  const settings = {
    store: 'sqlite:./crib.db',
    cache: false,
    watch: false,
    sources: Object.fromEntries((sources ?? ['ceph']).map((name) => [name, settingsOf(name)])),
    ...configuration,
  };
  await writeFile(join(folder, 'toolcrib.yaml'), JSON.stringify(settings));
  const clients: CroitClient[] = [];
  let gateway: Gateway | undefined;
  const close = async () => {
    croit.release();
    for (const client of clients) await client.close();
    await gateway?.close();
    await croit.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    gateway = await createGateway(settings as never, {
      baseDirectory: folder,
      env: { XDG_STATE_HOME: join(folder, 'state') },
    });
    const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
    return {
      croit,
      gateway,
      url,
      folder,
      signIn,
      close,
      async connect(options = {}) {
        const client = await connectClient(url, options);
        clients.push(client);
        return client;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
