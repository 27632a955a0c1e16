import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfiguration } from '../../../src/config/index.ts';
import { createGateway, type Gateway } from '../../../src/gateway.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../src/operations/index.ts';
import { removeTree } from '../../../src/skills/frozen/remove-tree.ts';
import { defineTool } from '../../../src/sources/function/define.ts';

/** A gateway with one tool of its own and skills of strangers; nothing listens. */
export interface AttackedSchool {
  readonly folder: string;
  readonly gateway: Gateway;
  /** Names that a caller is shown. */
  names(principal?: Principal, client?: Parameters<Gateway['view']>[1]): string[];
  close(): Promise<void>;
}

export const STUDENT: Principal = { ...LOCAL_PRINCIPAL, id: 'student-1', roles: ['student'] };

/** Text of a SKILL.md. */
export const skillText = (name: string, description = `What ${name} is for.`, body = 'Steps.') =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${body}\n`;

/** @param skills files of each skill by their path below its folder */
export async function attackedSchool(
  skills: Readonly<Record<string, Readonly<Record<string, string>>>>,
  policy: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Promise<AttackedSchool> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-attacked-'));
  for (const [skill, files] of Object.entries(skills))
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, 'skills', skill, path, '..'), { recursive: true });
      await writeFile(join(folder, 'skills', skill, path), text);
    }
  const configuration = await parseConfiguration(
    {
      sources: { strangers: { skills: 'skills' } },
      policy: { skills: policy },
      stateDirectory: join(folder, 'state'),
      watch: false,
      ...more,
    },
    { env: {}, baseDirectory: folder },
  );
  const gateway = await createGateway(configuration, {
    functions: {
      school: {
        tools: [
          defineTool({
            name: 'list_students',
            description: 'Lists students.',
            access: 'read',
            handler: () => ({ students: ['Ada'] }),
          }),
        ],
      },
    },
  });
  return {
    folder,
    gateway,
    names: (principal, client) => gateway.view(principal, client).tools.map(({ name }) => name),
    async close() {
      await gateway.close();
      await removeTree(folder);
    },
  };
}
