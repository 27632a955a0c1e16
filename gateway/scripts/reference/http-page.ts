import { describeApi } from '../../src/server/http/description.ts';
import { ROUTES } from '../../src/server/http/routes/index.ts';
import { cell, type Schema, wordsOf } from './schema-words.ts';
import { shapeText } from './shape-text.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly 'x-toolcrib-access': string;
}

interface Described extends Operation {
  readonly method: string;
  readonly path: string;
}

const INTRODUCTION = `# HTTP API reference

<!-- Written by \`node gateway/scripts/write-reference.mjs\` from the routes' own descriptions. Do not edit. -->

Every route below \`/api/v1\`, as the gateway describes itself at \`GET /api/v1/openapi.json\`. Who may talk to it, how, and what else it serves: [HTTP server](http-server.md).

**Who may**: a request shows a credential as \`Authorization: Bearer …\`, or comes from a signed-in console; without a token and a team whoever reaches the loopback address is the operator. *Everybody* means every such caller, who sees only what is theirs; *the operator* is whoever owns the gateway; *an owner session* is a console that was opened with a one-time code of this machine.

**As a tool**: what the route is when the gateway is a source of itself (\`self: {}\`). *Never* is \`dangerous\`: no tool reaches it.

**Errors**: every failed request has the status of its error and this body. All codes with their status: [errors](errors.md).
\`\`\`text
{ error: { code: string; message: string; next: string; pointer?: string } }
\`\`\`
| code | when |
|---|---|
| \`request_invalid\` | a member of the path, query or body is not what is described here; \`pointer\` names it |
| \`unauthorized\` (401) | no credential that counts |
| \`user_refused\` (403) | a good sign-in token of somebody who may not come in |
| \`admin_needed\`, \`tool_forbidden\`, \`approval_forbidden\` (403) | one that may not do this |
| \`record_unknown\`, \`tool_unknown\`, \`not_found\` (404) | there is no such thing, or it is not yours: the two are not told apart |
| \`record_conflict\` (409), \`body_too_large\` (413), \`overloaded\` (429), \`store_unavailable\` (503) | it clashes with what is there; above \`server.maxBodySize\`; too much at once; the store does not answer |

Shapes are written as in TypeScript: \`?\` marks what may be absent, \`[]\` a list.
`;

/** The page of every route, by tag. */
export function httpPage(): string {
  const operations = allOperations();
  const byTag = Map.groupBy(operations, ({ tags }) => tags[0] ?? 'other');
  const contents = [...byTag].map(([tag, ones]) => `| [${tag}](#${tag}) | ${ones.length} |`);
  return [
    INTRODUCTION,
    '| routes about | |',
    '|---|---|',
    ...contents,
    '',
    ...[...byTag].flatMap(([tag, ones]) => [`## ${tag}\n`, ...ones.flatMap(sectionOf)]),
  ].join('\n');
}

function allOperations(): Described[] {
  const { paths } = describeApi() as unknown as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  );
}

function sectionOf(operation: Described): string[] {
  const { method, path, summary, description, operationId } = operation;
  return [
    `### ${method} ${path}\n`,
    `**${summary}.** ${description ?? ''}`.trim() + '\n',
    `Who may: ${whoMay(operationId)} · as a tool: ${asTool(operation['x-toolcrib-access'])} · \`${operationId}\`\n`,
    ...parameterTable(operation.parameters ?? []),
    ...bodyOf(operation),
    ...answerOf(operation),
  ];
}

const AUDIENCES: Readonly<Record<string, string>> = {
  everybody: 'anybody, signed in or not',
  operator: 'the operator',
  owner: 'an owner session',
};

function whoMay(operationId: string): string {
  const audience: string | undefined = ROUTES.find((route) => route.operationId === operationId)?.audience;
  if (audience === undefined) return 'everybody';
  const words = AUDIENCES[audience];
  if (words === undefined) throw new Error(`No words for the audience ${audience}`);
  return words;
}

function asTool(access: string): string {
  return access === 'dangerous' ? 'never' : access;
}

function parameterTable(parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, schema, description }) => {
    const words = wordsOf(schema, schema) + (required ? '; required' : '') + defaultOf(schema);
    return `| \`${name}\` | ${place} | ${cell(words)} | ${cell(description ?? '')} |`;
  });
  return ['| parameter | in | takes | |', '|---|---|---|---|', ...rows, ''];
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? '' : `; default \`${JSON.stringify(schema.default)}\``;
}

function bodyOf({ requestBody }: Operation): string[] {
  if (requestBody === undefined) return [];
  return Object.entries(requestBody.content).flatMap(([mediaType, { schema }]) => [
    `Body (\`${mediaType}\`${requestBody.required ? '' : '; may be absent'}):`,
    ...block(schema),
  ]);
}

function answerOf({ responses }: Operation): string[] {
  return Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .flatMap(([status, { description, content }]) => {
      const said = `Answer ${status}: ${description}`;
      const shapes = Object.entries(content ?? {}).flatMap(([mediaType, { schema }]) => {
        if (Object.keys(schema).length === 0)
          return mediaType === 'application/json' ? [] : [`\`${mediaType}\`\n`];
        return block(schema);
      });
      return shapes.length === 0 ? [`${said}\n`] : [said, ...shapes];
    });
}

function block(schema: Schema): string[] {
  return ['```text', shapeText(schema), '```', ''];
}
