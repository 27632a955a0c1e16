import { readFile, writeFile } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { createProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { configurationSchema } from '../../src/config/schema/configuration-file.ts';
import { ARM_TOOLS } from '../../src/operations/index.ts';
import { temporaryHome } from '../cli/command-run.ts';
import { exitOf, outputOf, runCommand, spawnCommand } from '../cli/spawned-command.ts';
import { commandFile } from '../command-file.ts';
import { type ArmDouble, startArm } from '../doubles/arm/arm.ts';
import { MAIL } from '../doubles/arm/connectors/mail.ts';

// whole stories of processes: how long they take is the machine's to say
vi.setConfig({ testTimeout: 120_000 });

const crib = temporaryHome();
let text: string;
let arm: ArmDouble;
let env: Record<string, string>;

/** The connector that the guide names. */
const OFFICE = {
  ...MAIL,
  name: 'office365',
  displayName: 'Office 365 Outlook',
  swagger: JSON.parse(
    JSON.stringify(MAIL.swagger).replaceAll('SendMail', 'SendEmail'),
  ) as typeof MAIL.swagger,
};

beforeAll(async () => {
  text = await readFile(new URL('../../../docs/azure.md', import.meta.url), 'utf8');
  arm = await startArm({
    connectors: [OFFICE],
    connections: [
      { name: 'office365', api: 'office365' },
      { name: 'work', api: 'office365', status: 'Error' },
    ],
  });
  env = { ARM_MCP_AUTH_TOKEN: arm.token() };
});
afterAll(() => arm.close());

const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

/** Words of every `npx toolcrib …` line of a block. */
const commandsOf = (block: string): string[][] =>
  block
    .split('\n')
    .filter((line) => line.startsWith('npx toolcrib '))
    .map((line) =>
      line
        .replace(/\s+#.*$/, '')
        .split(' ')
        .slice(2),
    );

/** The guide's command at the Azure of this test, with a token of its own. */
function here(words: readonly string[]): string[] {
  const known: Readonly<Record<string, string>> = {
    SUBSCRIPTION: arm.subscription,
    RESOURCE_GROUP: arm.resourceGroup,
    azcli: 'envvar',
    8787: '0',
  };
  const own = words.map((word) => known[word] ?? word);
  return [...own, ...(own.includes('-a') ? [] : ['-a', 'envvar']), '--arm-endpoint', arm.url];
}

/** The first cells of the table that has this heading. */
function column(heading: string): string[] {
  const [, table = ''] =
    new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'm').exec(text) ?? [];
  return table.split('\n').flatMap((row) => /^\| (.*?) \|/.exec(row)?.[1] ?? []);
}

const quoted = (cells: readonly string[]) =>
  cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));

interface Office {
  readonly sources: { readonly office: { readonly azure: Record<string, unknown> } };
}

async function configure(more: object = {}): Promise<void> {
  const { sources } = parse(blocks('yaml')[0]!) as Office;
  const { azure } = sources.office;
  const { subscription, resourceGroup, url: armEndpoint } = arm;
  const settings = { ...azure, subscription, resourceGroup, armEndpoint, authentication: 'envvar' };
  const file = { ...more, sources: { office: { azure: settings } } };
  await writeFile(crib.path('toolcrib.yaml'), stringify(file));
}

describe('docs/azure.md, followed to the letter', () => {
  it('starts a server for a client, by the command and by the entry', async () => {
    const [command] = commandsOf(blocks('sh')[0]!);
    const { mcpServers } = JSON.parse(blocks('json')[0]!) as {
      mcpServers: { azure: { command: string; args: string[] } };
    };
    expect(mcpServers.azure).toEqual({ command: 'npx', args: ['toolcrib', ...command!] });
    const client = new Client({ name: 'guide', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [commandFile(), ...here(command!)],
        cwd: crib.home,
        env: { ...env, HOME: crib.home, XDG_STATE_HOME: crib.path('state') },
      }),
    );
    try {
      const list = async () => new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
      await expect.poll(async () => [...(await list()).keys()]).toContain('office365_send_email_v2');
      const tools = await list();
      expect(tools.get('office365_send_email_v2')!.description).toMatch(
        /^\[Office 365 Outlook\] Send an email \(V2\)/,
      );
      expect(tools.get('office365_work_send_email_v2')!.description).toContain(
        '⚠️ Connection not authenticated',
      );
      const named = quoted(column('tool'));
      expect(named.toSorted()).toEqual([...ARM_TOOLS].sort());
      for (const name of named) expect([...tools.keys()]).toContain(name);
    } finally {
      await client.close();
    }
  });

  it('serves HTTP', async () => {
    const [, command] = commandsOf(blocks('sh')[0]!);
    const child = spawnCommand([...here(command!), '--json'], { cwd: crib.home, env });
    const ready = JSON.parse(await outputOf(child).line());
    expect(ready).toMatchObject({ type: 'listening', client: { mcpServers: {} } });
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  it('works with every command beside a configuration', async () => {
    await configure();
    const commands = commandsOf(blocks('sh')[1]!);
    expect(commands.map(([name]) => name)).toEqual(['doctor', 'compile', 'search', 'call', 'call', 'call']);
    for (const words of commands) {
      const { exit, out, err } = await runCommand(words, { cwd: crib.home, env });
      expect(exit, `${words.join(' ')}: ${err}`).toBe(0);
      const wanted = {
        doctor: /1 connection in connectors/,
        compile: /13 operations left out/,
        search: /^office365_send_email_v2/,
        call: /office365|OpenFolders-one/,
      }[words[0]!];
      expect(out).toMatch(wanted!);
      if (words.includes('--dry-run'))
        expect(out).toContain('/connections/office365/dynamicInvoke?api-version=');
    }
    expect(arm.invocations.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('lets a rule allow what would ask', async () => {
    const call = () =>
      runCommand(['call', 'get_connection', 'connectionName=office365'], { cwd: crib.home, env });
    await configure();
    expect(await call()).toMatchObject({ exit: 75, err: expect.stringContaining('approval_required') });
    await configure(parse(blocks('yaml')[1]!) as object);
    expect(await call()).toMatchObject({ exit: 0, out: expect.stringContaining('"office365"') });
  });
});

describe('docs/azure.md as a reference', () => {
  it('names options that there are', () => {
    const program = createProgram({} as Terminal, () => undefined);
    const command = program.commands.find((one) => one.name() === 'azure')!;
    const known = command.options.flatMap(({ short, long }) => [short, long]).concat('--maxToolsPerApi');
    const named = quoted(column('option')).flatMap((words) => words.match(/--?[A-Za-z-]+/g) ?? []);
    expect(named.length).toBeGreaterThan(15);
    for (const option of named) expect(known, option).toContain(option);
  });

  it('names every setting, and every way to sign in', () => {
    const settings = settingsOf();
    const modes = quoted(column('`authentication`').map((cell) => cell.split(' ')[0]!));
    expect(modes).toEqual(settings['authentication']!.enum);
    const { azure } = (parse(blocks('yaml')[0]!) as Office).sources.office;
    const inTables = [...quoted(column('setting')), 'tenant', 'armEndpoint', 'maxToolsPerApi'];
    expect([...Object.keys(azure), ...inTables].toSorted()).toEqual(Object.keys(settings).toSorted());
  });
});

interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly additionalProperties?: Described;
  readonly enum?: readonly string[];
}

/** What `azure:` of a source may hold. */
function settingsOf(): Readonly<Record<string, Described>> {
  const schema = configurationSchema(DEFAULTS.kinds, DEFAULTS.topologies);
  const root = schema.toJSONSchema({ unrepresentable: 'any', io: 'input' }) as Described;
  return root.properties!['sources']!.additionalProperties!.properties!['azure']!.properties!;
}
