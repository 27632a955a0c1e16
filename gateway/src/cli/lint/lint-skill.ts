import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { asToolcribError } from '../../errors.ts';
import { type Diagnostic, isObject, type Severity } from '../../operations/index.ts';
import { type LocatedYaml, readLocatedYaml } from '../../sources/manifest/located-yaml.ts';
import type { LintFolderOptions } from './lint-folder.ts';
import type { Linted } from './linted.ts';

type Say = (code: string, message: string, location: string, severity?: Severity) => void;

/** Agent Skills specification, front matter: name. */
const NAME = /^(?!-)(?!.*--)[a-z0-9-]{1,64}(?<!-)$/;
const TOOL_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{1,100}$/;
const KNOWN = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

/** A skill folder: the front matter of SKILL.md, and the tools of tool-manifest.yaml where there is one. */
export async function lintSkill(folder: string, { reader }: LintFolderOptions): Promise<Linted> {
  const findings: Diagnostic[] = [];
  const say: Say = (code, message, location, severity = 'error') =>
    findings.push({ code, severity, message, location });
  const text = async (file: string) =>
    Buffer.from(await reader.read(file, new AbortController().signal)).toString('utf8');
  const skill = join(folder, 'SKILL.md');
  await judged(say, async () => lintFrontMatter(await text(skill), skill, basename(folder), say));
  const manifest = ['tool-manifest.yaml', 'tool-manifest.yml']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file));
  let tools = 0;
  if (manifest !== undefined)
    await judged(say, async () => {
      tools = lintTools(await readLocatedYaml(await text(manifest), manifest), folder, say);
    });
  return { file: folder, kind: 'skill', operations: tools, findings };
}

async function judged(say: Say, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const { code, message, location } = asToolcribError(thrown);
    if (code === 'internal') throw thrown;
    say('skill-unreadable', message, location ?? '');
  }
}

async function lintFrontMatter(text: string, file: string, folder: string, say: Say): Promise<void> {
  const [block, matter = ''] = /^---\r?\n(.*?)^---\r?$/ms.exec(text.replace(/^\uFEFF/, '')) ?? [];
  if (block === undefined || !text.startsWith('---')) {
    say('skill-front-matter', 'It begins with YAML between two lines "---".', `${file}:1`);
    return;
  }
  // the first line is the `---`, so that lines count as in the file
  const { value, place } = await readLocatedYaml(`\n${matter}`, file);
  const front = isObject(value) ? value : {};
  const { name, description, license, compatibility, metadata } = front;
  if (typeof name !== 'string' || !NAME.test(name))
    say('skill-name', 'name has 1 to 64 small letters, digits and single "-".', place(['name']));
  else if (name !== folder)
    say(
      'skill-name',
      `name is ${name}, and the folder ${folder}: they are the same.`,
      place(['name']),
      'warning',
    );
  if (typeof description !== 'string' || description.trim() === '')
    say(
      'skill-description',
      'description says what the skill does and when to use it.',
      place(['description']),
    );
  else if (description.length > 1024)
    say(
      'skill-description',
      `description has ${description.length} characters; 1024 are read.`,
      place(['description']),
      'warning',
    );
  if (license !== undefined && typeof license !== 'string')
    say('skill-license', 'license is text.', place(['license']));
  if (compatibility !== undefined && (typeof compatibility !== 'string' || compatibility.length > 500))
    say('skill-compatibility', 'compatibility is text of at most 500 characters.', place(['compatibility']));
  if (
    metadata !== undefined &&
    !(isObject(metadata) && Object.values(metadata).every((one) => typeof one === 'string'))
  )
    say('skill-metadata', 'metadata maps text to text.', place(['metadata']), 'warning');
  const allowed = front['allowed-tools'];
  if (allowed !== undefined && typeof allowed !== 'string')
    say(
      'skill-allowed-tools',
      'allowed-tools is one text with spaces between.',
      place(['allowed-tools']),
      'warning',
    );
  for (const key of Object.keys(front).filter((one) => !KNOWN.includes(one)))
    say('skill-key-unknown', `The specification does not know ${key}.`, place([key]), 'warning');
}

/** Answers with the number of tools. */
function lintTools({ value, place }: LocatedYaml, folder: string, say: Say): number {
  const tools = Array.isArray(value) ? value : isObject(value) ? value['tools'] : undefined;
  const at = (index: number, ...more: string[]) =>
    place([...(Array.isArray(value) ? [] : ['tools']), index, ...more]);
  if (!Array.isArray(tools)) {
    say('skill-tools', 'tools is a list.', place(['tools']));
    return 0;
  }
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool)) {
      say('skill-tool', 'A tool has name, description, input_schema and executor.', at(index));
      continue;
    }
    const { name, description, input_schema: input, executor } = tool;
    if (typeof name !== 'string' || !TOOL_NAME.test(name))
      say('skill-tool-name', 'name has 2 to 101 letters, digits, "_", "." and "-".', at(index, 'name'));
    else if (names.has(name))
      say('skill-tool-name', `Another tool is called ${name}, too.`, at(index, 'name'));
    else names.add(name);
    if (typeof description !== 'string' || description.trim() === '')
      say('skill-tool-description', 'description is missing.', at(index, 'description'), 'warning');
    if (!isObject(input) || input['type'] !== 'object')
      say('skill-tool-input', 'input_schema is a JSON Schema with type object.', at(index, 'input_schema'));
    const problem = executorProblem(executor, folder);
    if (problem !== undefined) say('skill-tool-executor', problem, at(index, 'executor'));
  }
  return tools.length;
}

function executorProblem(executor: unknown, folder: string): string | undefined {
  const { type, entry, url } = isObject(executor) ? executor : {};
  if (type === 'http')
    return typeof url === 'string' && url !== '' ? undefined : 'An http executor has a url.';
  if (type !== 'script') return 'executor.type is script or http.';
  if (typeof entry !== 'string' || entry === '') return 'A script executor has an entry.';
  const inside = relative(folder, resolve(folder, entry));
  if (isAbsolute(entry) || inside.startsWith('..')) return `entry ${entry} leads out of the skill.`;
  return existsSync(join(folder, entry)) ? undefined : `entry ${entry} is not there.`;
}
