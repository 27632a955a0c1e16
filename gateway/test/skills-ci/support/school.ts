import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { parseConfiguration } from '../../../src/config/index.ts';
import { createGateway, type Gateway } from '../../../src/gateway.ts';
import { removeTree } from '../../../src/skills/frozen/remove-tree.ts';
import { defineTool } from '../../../src/sources/function/define.ts';
import { type LoopbackService, startLoopbackService } from '../../doubles/loopback-service.ts';

/** A gateway with static tools, a service beside it, and a folder where skills come and go. */
export interface School {
  readonly folder: string;
  readonly gateway: Gateway;
  /** Answers `{ at: path }`, or 500 below `/down`. */
  readonly service: LoopbackService;
  /** Origin that the gateway listens at. */
  readonly origin: string;
  /** Writes files of a skill; names are below its folder. */
  skill(name: string, files: Readonly<Record<string, string>>, root?: string): Promise<string>;
  client(query?: string): Promise<Client>;
  api(path: string, init?: RequestInit): Promise<{ status: number; body: never }>;
  close(): Promise<void>;
}

export interface SchoolOptions {
  readonly policy?: Record<string, unknown>;
  readonly more?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  /** Written before the gateway starts. */
  readonly before?: (school: Pick<School, 'skill' | 'service' | 'folder'>) => Promise<unknown>;
}

/** What a gateway has beside its skills. */
export const LIST_STUDENTS = defineTool({
  name: 'list_students',
  description: 'Lists students.',
  access: 'read',
  handler: () => ({ students: ['Ada'] }),
});

export const frontMatter = (name: string, description = `What ${name} is for.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\nFollow these steps.\n`;

export async function openSchool({ policy, more, env = {}, before }: SchoolOptions = {}): Promise<School> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-skills-'));
  const service = await startLoopbackService('', ({ path }) =>
    path.startsWith('/down') ? { status: 500, body: { error: 'down' } } : { status: 200, body: { at: path } },
  );
  const skill: School['skill'] = async (name, files, root = 'teacher_skills') => {
    const place = join(folder, root, name);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(place, path, '..'), { recursive: true });
      await writeFile(join(place, path), text);
    }
    return place;
  };
  await before?.({ skill, service, folder });
  const configuration = await parseConfiguration(
    {
      sources: {
        teaching: {
          skills: { roots: ['teacher_skills', 'skills', 'home_skills'] },
        },
      },
      policy: { skills: { mode: 'permissive', ...policy } },
      egress: { allow: [new URL(service.url).origin] },
      stateDirectory: join(folder, 'state'),
      server: { port: 0 },
      ...more,
    },
    { env: { ...process.env, ...env }, baseDirectory: folder },
  );
  const gateway = await createGateway(configuration, {
    functions: {
      school: {
        tools: [LIST_STUDENTS],
      },
    },
  });
  const listening = await gateway.listen({ port: 0 });
  const { origin } = new URL(listening.url);
  const clients: Client[] = [];
  return {
    folder,
    gateway,
    service,
    origin,
    skill,
    async client(query = '') {
      const client = new Client({ name: 'school-test', version: '1' });
      clients.push(client);
      await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp${query}`, origin)));
      return client;
    },
    async api(path, init) {
      const response = await fetch(new URL(path, origin), init);
      return { status: response.status, body: (await response.json()) as never };
    },
    async close() {
      for (const client of clients) await client.close();
      await listening.close();
      await gateway.close();
      await service.close();
      await removeTree(folder);
    },
  };
}
