import { hashBytes, type Json, type JsonObject } from '../../operations/index.ts';
import { manifestFiles } from './package-files.ts';
import type { CompiledSkill, CompiledSkillTool } from './snapshot.ts';

/** Contents of the files that tell other programs what became of a skill. */
export interface SkillArtifacts {
  /** `dynamic_tools.json`: the tools that there are. */
  readonly tools: JsonObject;
  /** `dynamic_tools.lock.json`: what they were made from. */
  readonly lock: JsonObject;
  /** `dynamic_tools.report.json`: what became of each. */
  readonly report: JsonObject;
}

export interface ArtifactFacts {
  /** Names of tools that another source's tool of the same name stands before. */
  readonly shadowed: readonly string[];
  /** Folders of skills of its name that it stands before. */
  readonly overrides?: readonly string[];
  /** How its scripts run on this machine, in one line. */
  readonly isolation?: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** In the shapes that platforms with such tools read (seed 004 §5.1), with what they lack beside them. */
export function artifactsOf(
  skill: CompiledSkill,
  { shadowed, overrides = [], isolation, updatedAt }: ArtifactFacts,
): SkillArtifacts {
  const tools = skill.tools.filter(({ name }) => !shadowed.includes(name));
  const manifests = manifestFiles(skill.files).map(({ path, sha256 }) => `${path}\n${sha256}`);
  const common = { skill_id: skill.id, version: skill.version, updated_at: updatedAt };
  const manifestHash = hashBytes(manifests.join('\n'));
  return {
    tools: {
      tools: tools.map((tool) => toolArtifact(tool, skill.folder)),
      manifest_hash: manifestHash,
      ...common,
    },
    lock: {
      manifest_hash: manifestHash,
      source_files: skill.files.map(({ path, sha256, bytes, executable }) => ({
        path,
        sha256,
        bytes,
        ...(executable === undefined ? {} : { executable }),
      })),
      compiled_ok: tools.length,
      ...common,
    },
    report: {
      compiled_ok: tools.length,
      valid: tools.map(({ name, place }) => ({ name, source: place })),
      invalid: skill.invalid.map(({ place, name, error }) => ({
        source: place,
        ...(name === undefined ? {} : { name }),
        error,
      })),
      shadowed: skill.tools
        .filter(({ name }) => shadowed.includes(name))
        .map(({ name, place }) => ({ name, reason: 'conflicts_with_static_tool', source: place })),
      overrides: [...overrides],
      ...(isolation === undefined ? {} : { isolation }),
      findings: skill.findings.map(({ code, severity, message, location }) => ({
        code,
        severity,
        message,
        ...(location === undefined ? {} : { source: withinFolder(location, skill.folder) }),
      })),
      ...common,
    },
  };
}

function toolArtifact(tool: CompiledSkillTool, folder: string): JsonObject {
  const { invocation } = tool;
  const { kind, skill: _skill, version: _version, retry, timeoutMs, network, ...parts } = invocation;
  const { entry, interpreter, args, stdin, stdinText, env, method, url, headers, body } = parts as Readonly<
    Record<string, Json | undefined>
  >;
  const executor: Record<string, Json | undefined> = {
    type: kind === 'script' ? 'script' : 'http',
    entry,
    interpreter,
    args_template: args,
    stdin_template: stdin,
    stdin_text: stdinText,
    env,
    method,
    url,
    headers_template: headers,
    body_template: body,
    timeout_sec: timeoutMs / 1000,
    retry: { max_attempts: retry.maxAttempts, backoff_ms: retry.backoffMs },
    network,
  };
  return {
    name: tool.name,
    description: tool.description,
    input_schema: tool.input,
    ...(tool.output === undefined ? {} : { output_schema: tool.output }),
    executor: Object.fromEntries(
      Object.entries(executor).filter((entry): entry is [string, Json] => entry[1] !== undefined),
    ),
    access: tool.access,
    idempotent: tool.idempotent,
    skill_dir: folder,
  };
}

function withinFolder(location: string, folder: string): string {
  return location.startsWith(folder) ? location.slice(folder.length).replace(/^[/\\]/, '') : location;
}
