import type { Operation, ScriptInvocation, TemplateInvocation } from '../../../src/operations/index.ts';

export const VERSION = `sha256:${'a1'.repeat(32)}`;
export const NEXT_VERSION = `sha256:${'b2'.repeat(32)}`;

interface Changes extends Partial<Omit<Operation, 'invocation'>> {
  readonly skill?: string;
  readonly version?: string;
  readonly network?: boolean;
  readonly entry?: string;
  /** Null: it is executed itself. */
  readonly interpreter?: ScriptInvocation['interpreter'] | null;
}

/** A script of the skill `grading`, which reads and stays off the network unless it is said otherwise. */
export function scriptTool(id: string, changes: Changes = {}): Operation {
  const {
    skill,
    version,
    network = false,
    entry = 'scripts/run.py',
    interpreter = 'python3',
    ...rest
  } = changes;
  const invocation: ScriptInvocation = {
    kind: 'script',
    ...shared(skill, version),
    network,
    entry,
    ...(interpreter === null ? {} : { interpreter }),
  };
  return tool(id, invocation, rest);
}

/** An HTTP tool of the same skill. */
export function httpTool(id: string, changes: Omit<Changes, 'entry' | 'interpreter'> = {}): Operation {
  const { skill, version, network = true, ...rest } = changes;
  const invocation: TemplateInvocation = {
    kind: 'template',
    ...shared(skill, version),
    network,
    method: 'GET',
    url: 'https://school.example/{{args.id}}',
    headers: {},
  };
  return tool(id, invocation, rest);
}

function shared(skill = 'grading', version = VERSION) {
  return { skill, version, retry: { maxAttempts: 3, backoffMs: 300 }, timeoutMs: 20_000 };
}

function tool(id: string, invocation: Operation['invocation'], changes: Partial<Operation>): Operation {
  return Object.freeze({
    id,
    source: 'teaching',
    description: 'A tool of a skill.',
    input: { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false },
    access: 'read',
    tags: [],
    safety: { network: true, file: true, destructive: false, idempotent: false, openWorld: true },
    ...changes,
    invocation,
  } satisfies Operation);
}
