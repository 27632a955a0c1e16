import { z } from 'zod';
import { SKILL_LIMITS } from '../../operations/index.ts';

/** `tool-manifest.yaml` as editors check it: proper keys and aliases, no others. */
export function manifestSchema(): z.ZodType {
  const tool = z.strictObject({
    ...shared(),
    ...executorShape(),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{1,100}$/)
      .describe('2 to 101 letters, digits, "_", "." and "-".'),
    title: text('Shown to people instead of the name.'),
    description: text('For a model: what it does and when to use it.'),
    input_schema: jsonSchema('JSON Schema of the arguments, type object. Absent: any arguments.'),
    parameters: jsonSchema('Alias of input_schema.'),
    output_schema: jsonSchema(
      'JSON Schema of the answer, type object; of its data where it answers { ok, data }.',
    ),
    executor: z
      .union([z.enum(['script', 'http']), z.strictObject({ ...shared(), ...executorShape() })])
      .optional()
      .describe('How it runs. Absent: its keys stand on the tool itself.'),
    access: z
      .enum(['read', 'write', 'delete'])
      .optional()
      .describe('What it does to the world. Default: write for scripts; by the method for http.'),
    idempotent: z
      .boolean()
      .optional()
      .describe('Repeating a call has no further effect, so that a failed one may be tried again.'),
  });
  const tools = z.array(tool);
  return z.union([
    z.strictObject({
      $schema: z.string().optional(),
      version: z.union([z.string(), z.number()]).optional(),
      runtime: z
        .strictObject({
          default_timeout_sec: seconds('Of one attempt of every tool'),
          default_retry: retry(),
        })
        .optional()
        .describe('Defaults of all tools; counts in the first manifest of a skill.'),
      tools,
    }),
    tools,
    tool.extend({ $schema: z.string().optional() }),
  ]);
}

function shared() {
  return {
    timeout_sec: seconds('Of one attempt'),
    retry: retry(),
    network: z.boolean().optional().describe('A script without it gets no network where it is isolated.'),
    env: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), scalar())
      .optional()
      .describe('Environment variables of a script; {{secrets.NAME}} may stand here.'),
  };
}

function executorShape() {
  const argument = z.union([
    scalar().describe('One argument, whatever is put in.'),
    z.array(scalar()).min(1).describe('Left out whole while a value in it is missing.'),
    z
      .strictObject({ flag: z.string().min(1), when: z.string().min(1) })
      .describe('There while the argument that when names is true, or a list with items: args.json.'),
    z
      .strictObject({ each: z.string().min(1), flag: z.string().min(1).optional() })
      .describe('One argument for each item of the list that each names: args.files; flag before each.'),
  ]);
  const headers = (what: string) => z.record(z.string(), scalar()).optional().describe(what);
  const args = (what: string) => z.array(argument).max(100).optional().describe(what);
  return {
    type: z.enum(['script', 'http']).optional(),
    entry: text('Path of the script within the skill.'),
    script: text('Alias of entry.'),
    args_template: args('Arguments of the script, one an item. Absent: they go to stdin as JSON.'),
    args: args('Alias of args_template.'),
    stdin_template: z.json().optional().describe('A value with templates, sent to stdin as JSON.'),
    stdin: z.json().optional().describe('Alias of stdin_template.'),
    stdin_text: scalar()
      .optional()
      .describe('Text with templates, sent to stdin as it is. Not beside stdin_template.'),
    method: text('Default: POST.'),
    url: text('http(s) address; no template in its host.'),
    endpoint: text('Alias of url.'),
    headers_template: headers('Headers of the request; {{secrets.NAME}} may stand here.'),
    headers: headers('Alias of headers_template.'),
    body_template: z.json().optional().describe('A value with templates, sent as JSON.'),
    body: z.json().optional().describe('Alias of body_template.'),
  };
}

function scalar() {
  return z.union([z.string(), z.number(), z.boolean()]);
}

function text(what: string) {
  return z.string().min(1).optional().describe(what);
}

function jsonSchema(what: string) {
  return z.record(z.string(), z.json()).optional().describe(what);
}

function seconds(what: string) {
  const most = SKILL_LIMITS.maxTimeoutMs / 1000;
  return z
    .number()
    .positive()
    .max(most)
    .optional()
    .describe(`${what}, in seconds. Default: ${SKILL_LIMITS.timeoutMs / 1000}.`);
}

function retry() {
  return z
    .strictObject({
      max_attempts: z
        .int()
        .min(1)
        .max(SKILL_LIMITS.maxAttempts)
        .optional()
        .describe(`Default: ${SKILL_LIMITS.attempts}.`),
      backoff_ms: z
        .int()
        .min(0)
        .max(SKILL_LIMITS.maxBackoffMs)
        .optional()
        .describe(
          `Before the second attempt, doubled before each further one. Default: ${SKILL_LIMITS.backoffMs}.`,
        ),
    })
    .optional();
}
