import { ToolcribError } from '../../errors.ts';
import { percentDecoded } from '../../operations/http/percent-decoded.ts';
import type { Json, JsonObject, JsonSchema } from '../../operations/index.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import type { OperationSet, OwnAnswer, ToolContext, TopologyTool } from '../topology.ts';
import { chooseNamed } from './choose-operation.ts';
import { type Definition, definitionsOf } from './definitions.ts';
import { describeArguments, propertiesOf, requiredOf, typeOf } from './describe-arguments.ts';
import { expandSchema } from './expand-schema.ts';
import { freeName, objectSchema, ownTool, READS_ONLY } from './own-tool.ts';

const MOST_MEMBERS = 60;
const COMPONENT = /^(?:([^#\s]+))?#\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/;

/** Says the schema of a component, or what an operation takes and answers. */
export function schemaTool(name: string, set: OperationSet): TopologyTool {
  return ownTool({
    name: freeName(name, set),
    operations: set.operations,
    define: () => ({
      description:
        'Schema of #/components/schemas/NAME or of an operation id: in short, or whole as JSON Schema.',
      inputSchema: objectSchema(
        {
          ref: { type: 'string' },
          whole: { type: 'boolean' },
          depth: { type: 'integer', minimum: 1, maximum: 10 },
        },
        ['ref'],
      ),
      annotations: READS_ONLY,
    }),
    resolve: (args, context) => answer(args, context, set),
  });
}

async function answer(args: JsonObject, context: ToolContext, set: OperationSet): Promise<OwnAnswer> {
  const ref = String(args['ref']).trim();
  const whole = args['whole'] === true;
  const depth = typeof args['depth'] === 'number' ? args['depth'] : undefined;
  const [, source, name] = COMPONENT.exec(ref) ?? [];
  if (name !== undefined) return component(findDefinition(set, unescaped(name), source), whole, depth);
  if (set.find(ref) === undefined && definitionsOf(set).has(ref))
    return component(findDefinition(set, ref, undefined), whole, depth);
  const { operation } = await chooseNamed(set, 'ref', ref, context.signal);
  const { input, output } = operation.load();
  if (whole || depth !== undefined) {
    const expanded: JsonObject = { input: expandSchema(input, input, depth) };
    if (output !== undefined) expanded['output'] = expandSchema(output, output, depth);
    return { kind: 'answer', text: JSON.stringify(expanded) };
  }
  const lines = [describeArguments({ id: operation.facts.id, input })];
  if (output !== undefined) lines.push(`Answer: ${membersOf(output, output)}`);
  return { kind: 'answer', text: lines.join('\n') };
}

function component({ name, schema, root }: Definition, whole: boolean, depth: number | undefined): OwnAnswer {
  if (whole || depth !== undefined) {
    return { kind: 'answer', text: JSON.stringify(expandSchema(schema, root, depth)) };
  }
  return { kind: 'answer', text: `${name}: ${membersOf(schema, root)}` };
}

/** `id* (integer), name* (string), owner (object with id)`; a star: required. */
function membersOf(schema: JsonSchema, root: JsonSchema): string {
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length === 0) return typeOf(schema, root);
  const required = requiredOf(schema);
  const members = properties
    .slice(0, MOST_MEMBERS)
    .map(([name, member]) => `${name}${required.includes(name) ? '*' : ''} (${typeOf(member, root)})`);
  const more = properties.length > MOST_MEMBERS ? `, and ${properties.length - MOST_MEMBERS} more` : '';
  return `${members.join(', ')}${more}`;
}

function findDefinition(set: OperationSet, name: string, source: string | undefined): Definition {
  const all = definitionsOf(set);
  const found = (all.get(name) ?? []).filter((one) => source === undefined || one.source === source);
  if (found.length === 1) return found[0]!;
  const shown = JSON.stringify(name.slice(0, 200));
  if (found.length === 0) {
    const nearest = didYouMean(name, all.keys());
    throw new ToolcribError(
      'operation_unknown',
      `No operation that you may call has a schema ${shown}.${nearest}`,
      {
        pointer: '/ref',
        next: 'Name an operation id instead: what is a whole body or a whole answer stands with its operation.',
      },
    );
  }
  const refs = found.map((one) => `${one.source}#/components/schemas/${name}`);
  throw new ToolcribError(
    'operation_ambiguous',
    `Several sources have a schema ${shown}: ${refs.join(', ')}.`,
    {
      pointer: '/ref',
      details: { references: refs as Json[] },
      next: 'Name the source before the #.',
    },
  );
}

/** A token of a JSON Pointer as somebody wrote it. */
function unescaped(token: string): string {
  return percentDecoded(token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
