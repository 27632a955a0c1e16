import type { CatalogEntry } from '../../catalog/catalog.ts';
import { DEFAULTS } from '../../config/defaults.ts';
import { ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import type { PublishedTool } from '../../operations/index.ts';
import { firstFew } from '../../operations/text/first-few.ts';
import { closeToIt, didYouMean } from '../../operations/text/nearest-name.ts';
import { isQuickstart } from '../quickstart.ts';

/**
 * A listed tool, or an operation that listed tools reach, by tool name or operation id. Throws `tool_unknown` with the
 * nearest name, `tool_quarantined` for what waits for acceptance, `tool_forbidden` for what is offered in no topology.
 */
export function findTool(gateway: Gateway, name: string): PublishedTool {
  const entry = findEntry(gateway, name);
  const resolved = entry?.tool.name ?? name;
  const named = ({ tool }: PublishedTool) => tool.name === resolved;
  const found = gateway.view().tools.find(named) ?? (entry && gateway.surface('flat').tools.find(named));
  if (found !== undefined) return found;
  if (entry?.quarantined) {
    throw new ToolcribError(
      'tool_quarantined',
      `Tool ${resolved} is quarantined: its definition waits for acceptance.`,
    );
  }
  if (entry !== undefined) {
    throw new ToolcribError('tool_forbidden', `Tool ${resolved} exists, but it is not offered.`);
  }
  throw unknownTool(gateway, name);
}

/**
 * Any compiled operation, offered or not, by tool name, `source/id`, operation id or `METHOD /path`. Throws
 * `operation_ambiguous` where the last two name several: a call must not go to another service than was meant.
 */
export function findEntry(gateway: Gateway, name: string): CatalogEntry | undefined {
  const { byTool, entries } = gateway.view().catalog;
  return (
    byTool(name) ??
    entries.find(({ operation }) => operation === name) ??
    theOne(
      name,
      entries.filter(({ facts }) => facts.id === name),
    ) ??
    theOne(
      name,
      entries.filter(({ facts: { http } }) => http !== undefined && isAt(http, name)),
    )
  );
}

function theOne(name: string, [first, ...others]: readonly CatalogEntry[]): CatalogEntry | undefined {
  if (first === undefined || others.length === 0) return first;
  const tools = [first, ...others].map(({ tool }) => tool.name);
  const named = firstFew(tools, MOST_NAMED);
  throw new ToolcribError('operation_ambiguous', `"${name}" names several operations: ${named}.`, {
    next: 'Name the tool of the one that is meant.',
  });
}

const MOST_NAMED = 10;

function isAt({ method, path }: { readonly method: string; readonly path: string }, name: string): boolean {
  const [, said = '', place = ''] = /^([A-Za-z]+) +(\/.*)$/.exec(name) ?? [];
  return place === path && said.toUpperCase() === method.toUpperCase();
}

export function unknownTool(gateway: Gateway, name: string): ToolcribError {
  const names = gateway.view().tools.map(({ tool }) => tool.name);
  if (names.includes(name)) {
    return new ToolcribError(
      'tool_unknown',
      `${name} leads to several operations: each has checks of its own, ${name} has none.`,
      {
        next: 'Explain one of its operations by id or METHOD /path; `toolcrib tools --topology flat` lists them.',
      },
    );
  }
  const shapes = shapesWith(gateway, name);
  if (shapes.length > 0)
    return new ToolcribError(
      'tool_unknown',
      `There is no tool "${name}" here: it is one of the topology ${shapes.join(' or ')}.`,
      { next: `Say --topology ${shapes[0]}, or call the operation by its own name.` },
    );
  const meant = didYouMean(name, names) || closeToIt(name, names);
  const next = meant === '' && isQuickstart(gateway.configuration.file) ? NAME_ANOTHER : whyMissing(gateway);
  return new ToolcribError('tool_unknown', `There is no tool "${name}".${meant}`, { next });
}

/** Topologies that have a tool of this name. */
function shapesWith(gateway: Gateway, name: string): readonly string[] {
  return DEFAULTS.topologies.filter((topology) =>
    gateway.surface(topology).tools.some(({ tool }) => tool.name === name),
  );
}

const NAME_ANOTHER =
  'The quickstart was asked: name a configuration with --config or a document with --spec, or go to the folder of your toolcrib.yaml.';

function whyMissing(gateway: Gateway): string {
  const diagnostics = gateway.diagnostics();
  const failed = diagnostics.flatMap(({ code, source }) => (code === 'source-failed' ? source : []));
  if (failed.length > 0)
    return `Not everything could be read (${failed.join(', ')}): \`toolcrib doctor\` says why.`;
  const isLess =
    gateway.view().catalog.skipped.length > 0 || diagnostics.some(({ severity }) => severity !== 'info');
  return isLess
    ? '`toolcrib tools` lists those that are there, `toolcrib compile` says what was left out, and why.'
    : '`toolcrib tools` lists those that are there.';
}
