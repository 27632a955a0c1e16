import {
  canonicalJson,
  type Description,
  type Diagnostic,
  emptyDescription,
  hashBytes,
  type Operation,
  type SkillSettings,
} from '../../operations/index.ts';
import type { SourceContext } from '../source-kind.ts';
import { readSnapshot } from './read-snapshot.ts';
import { skillResources } from './resources.ts';
import { noteUnusedScripts } from './scripts.ts';
import type { CompiledSkill, CompiledSkillTool, SkillSnapshot } from './snapshot.ts';
import { callTimeoutMs } from './tool-limits.ts';

/** Raised when the same snapshot would be described differently. */
const REVISION = 2;

/**
 * The tools of skills as operations, their text files as resources, a prompt a skill. Everything comes from the
 * snapshot; the settings count in how it is reached, not in what it says.
 *
 * @param snapshotLocation absolute path of the snapshot's file
 * @throws what the reader throws; `source_invalid` for a file that is no snapshot
 */
export async function describeSkills(
  _settings: SkillSettings,
  snapshotLocation: string,
  { name: source, reader, signal }: SourceContext,
): Promise<Description> {
  const bytes = await reader.read(snapshotLocation, signal);
  const snapshot = readSnapshot(bytes, snapshotLocation);
  const diagnostics: Diagnostic[] = [...ofFolders(snapshot)];
  const operations: Operation[] = [];
  const names = new Map<string, string>();
  for (const skill of snapshot.skills) {
    diagnostics.push(...ofTools(skill), ...skill.findings, ...noteUnusedScripts(skill));
    for (const tool of skill.tools) {
      const owner = names.get(tool.name);
      if (owner !== undefined) diagnostics.push(sameName(skill, tool, owner));
      else names.set(tool.name, skill.id);
      operations.push(operationOf(source, skill, tool, owner !== undefined));
    }
  }
  return {
    ...emptyDescription(hashBytes(canonicalJson({ revision: REVISION, source, snapshot: hashBytes(bytes) }))),
    operations,
    diagnostics,
    resources: snapshot.skills.flatMap(skillResources),
    prompts: snapshot.skills.map(({ id, description }) => ({ name: id, description })),
  };
}

function operationOf(
  source: string,
  { id }: CompiledSkill,
  tool: CompiledSkillTool,
  isTaken: boolean,
): Operation {
  const { name, invocation, access, output } = tool;
  const title = tool.title ?? (name.includes('.') ? name : undefined);
  return {
    id: `${id}/${name}`,
    source,
    name: isTaken ? `${id}_${name}` : name,
    ...(title === undefined ? {} : { title }),
    description: tool.description,
    input: tool.input,
    ...(output === undefined ? {} : { output }),
    access,
    tags: [id],
    safety: {
      network: invocation.network,
      file: invocation.kind === 'script',
      destructive: access === 'delete',
      ...(tool.destructiveUnknown ? { destructiveUnknown: true } : {}),
      idempotent: tool.idempotent,
      openWorld: invocation.network,
    },
    limits: {
      timeoutMs: callTimeoutMs(invocation),
      maxAttempts: invocation.retry.maxAttempts,
    },
    invocation,
  };
}

const NO_SKILL: Diagnostic = {
  code: 'skill-none',
  severity: 'warning',
  message:
    'No skill was found: a skill is a folder with SKILL.md, and hidden folders are looked into only where one is named itself. API documents are named by their files, tool packages by `package` in the configuration.',
};

function ofFolders({ problems, overridden, skills }: SkillSnapshot): Diagnostic[] {
  return [
    ...(skills.length + problems.length === 0 ? [NO_SKILL] : []),
    ...problems.map(
      ({ folder, message, location = folder, kept }): Diagnostic => ({
        code: 'skill-unusable',
        severity: kept === true ? 'warning' : 'error',
        message:
          kept === true ? `${message} Its last good version goes on.` : `${message} The skill is left out.`,
        location,
      }),
    ),
    ...overridden.map(
      ({ id, folder, by }): Diagnostic => ({
        code: 'skill-overridden',
        severity: 'info',
        message: `The skill ${id} is there twice: the one in ${by} counts.`,
        location: folder,
      }),
    ),
  ];
}

function ofTools({ folder, invalid, id }: CompiledSkill): Diagnostic[] {
  return invalid.map(({ place, name, error, code = 'skill-tool-invalid' }) => ({
    code,
    severity: 'error',
    message: `Skill ${id}${name === undefined ? '' : `, tool ${name}`}: ${error} It is left out.`,
    location: `${folder}/${place}`,
  }));
}

function sameName(
  { id, folder }: CompiledSkill,
  { name, place }: CompiledSkillTool,
  owner: string,
): Diagnostic {
  return {
    code: 'skill-tool-renamed',
    severity: 'warning',
    message: `Skill ${owner} has a tool ${name}, too: that of ${id} is called ${id}_${name}.`,
    location: `${folder}/${place}`,
  };
}
