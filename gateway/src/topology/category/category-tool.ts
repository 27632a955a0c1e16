import { createHash } from 'node:crypto';
import { ToolcribError } from '../../errors.ts';
import {
  isObject,
  type JsonObject,
  SHAPING_ARGUMENTS,
  type TopologyOptions,
  type VisibleOperation,
} from '../../operations/index.ts';
import { argumentsOf } from '../calling/call-tool.ts';
import { misplacedArguments } from '../calling/misplaced-arguments.ts';
import { freeName, ownTool } from '../calling/own-tool.ts';
import { resolvedOperation } from '../calling/resolved-operation.ts';
import { SHAPING_PROPERTIES, shapingOf } from '../calling/shaping-arguments.ts';
import type { OperationSet, Resolution, TopologyTool } from '../topology.ts';
import { actionNames } from './action-names.ts';
import type { CategorySchema } from './category.ts';
import { operationArguments } from './category-arguments.ts';
import type { CategoryPart } from './category-parts.ts';
import { describeCategory } from './describe-category.ts';
import { unknownAction } from './unknown-action.ts';

const PREFIX = 'manage_';
const LONGEST_NAME = 64;
const HASH_LENGTH = 8;
const OWN: ReadonlySet<string> = new Set([
  ...['action', 'action_args', 'resource_id', 'data'],
  ...Object.keys(SHAPING_PROPERTIES),
  SHAPING_ARGUMENTS.off,
]);

export interface CategoryToolOptions {
  readonly set: OperationSet;
  readonly options: TopologyOptions;
  readonly schema?: CategorySchema;
  /** Name of the tool that says how filters are written. */
  readonly filtersIn: string;
}

/** One tool a part, each with a name of its own. */
export function categoryTools(
  parts: readonly CategoryPart[],
  { set, options, schema, filtersIn }: CategoryToolOptions,
): readonly TopologyTool[] {
  const taken = new Set<string>();
  return parts.map((part) => {
    const name = freeName(toolName(part.name), set, taken);
    taken.add(name);
    const description = {
      hintTokens: options.hintTokens,
      filtersIn,
      ...(schema === undefined ? {} : { schema }),
    };
    return categoryTool(name, part, set, description);
  });
}

function categoryTool(
  name: string,
  part: CategoryPart,
  set: OperationSet,
  description: Parameters<typeof describeCategory>[3],
): TopologyTool {
  let actions: ReadonlyMap<string, VisibleOperation> | undefined;
  const named = () => {
    actions ??= actionNames(part.operations, { isMixed: part.category === undefined });
    return actions;
  };
  const own: TopologyTool = ownTool({
    name,
    operations: part.operations,
    define: () => describeCategory(name, part, named(), description),
    resolve: (args) => resolve(name, args, named()),
    advise: async (args, { signal }) =>
      (await unknownAction(name, args['action'], { actions: named(), set, signal })) ??
      misplacedArguments(own.tool, 'action_args', args),
  });
  return own;
}

function resolve(tool: string, args: JsonObject, actions: ReadonlyMap<string, VisibleOperation>): Resolution {
  const { action, resource_id: id, data } = args;
  const chosen = typeof action === 'string' ? actions.get(action) : undefined;
  if (chosen === undefined) {
    throw new ToolcribError(
      'arguments_invalid',
      `${tool} has no such action; there is ${[...actions.keys()].join(', ')}.`,
      { pointer: '/action' },
    );
  }
  const operation = chosen.load();
  const given = operationArguments(operation, {
    action_args: argumentsOf(args['action_args']),
    extra: Object.fromEntries(Object.entries(args).filter(([name]) => !OWN.has(name))),
    ...(typeof id === 'string' || typeof id === 'number' ? { resource_id: id } : {}),
    ...(isObject(data) ? { data } : {}),
  });
  return resolvedOperation(chosen.facts, operation, given, shapingOf(args));
}

/** `manage_<category>`; what is too long ends in a hash of the whole. */
function toolName(name: string): string {
  const whole = PREFIX + name;
  // Room for a number behind it.
  if (whole.length <= LONGEST_NAME - 3) return whole;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${whole.slice(0, LONGEST_NAME - 3 - HASH_LENGTH - 1)}_${hash}`;
}
