import { z } from 'zod';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { configurationSchema } from '../../src/config/schema/configuration-file.ts';
import {
  alternatives,
  cell,
  isSecret,
  isSelector,
  itemsOf,
  resolved,
  type Schema,
  valuesOf,
  wordsOf,
} from './schema-words.ts';

const INTRODUCTION = `# Configuration reference

<!-- Written by \`node gateway/scripts/write-reference.mjs\` from the schema that the gateway checks files by. Do not edit. -->

Every key of \`toolcrib.yaml\`, from the schema that the gateway checks it by: \`gateway/schemas/toolcrib.schema.json\`. What the keys are for, with an example of each: [configuration](configuration.md).

| word | means |
|---|---|
| secret | the text itself, \`{ env: NAME }\`, \`{ file: PATH }\` or [\`{ command: [PROGRAM, …] }\`](credentials.md#a-program-that-prints-the-secret); read when it is needed, never stored |
| secret at the start | the text itself, \`{ env: NAME }\` or \`{ file: PATH }\`; read [with the configuration](configuration.md#while-it-runs), never stored |
| duration | \`500ms\`, \`30s\`, \`2m\`, \`1h\`, or a number of milliseconds |
| size | \`512KiB\`, \`10MB\`, or a number of bytes |
| selector | \`{ operation, tag, path, method }\`: operation id, tag, a glob of the path (\`*\` within a segment, \`**\` across), HTTP method; all that are given must match |

In a key, \`[]\` is each entry of a list and \`NAME\` a name that you choose.
`;

/** What stands between a key and its value in the path of a row. */
interface Place {
  readonly path: string;
  readonly schema: Schema;
  readonly required?: boolean;
}

/** Settings of one provider, which stand in a table of their own. */
interface Variant extends Place {
  readonly provider: string;
}

/** The page of every key. */
export function configurationPage(): string {
  const schema = configurationSchema(DEFAULTS.kinds, DEFAULTS.topologies);
  const root = z.toJSONSchema(schema, { io: 'input', reused: 'ref' }) as Schema;
  const keys = Object.entries(root.properties ?? {});
  const plain = keys.filter(([, schema]) => !isStructured(schema, root));
  const structured = keys.filter(([, schema]) => isStructured(schema, root));
  const sections = structured.flatMap(([key, schema]) =>
    key === 'sources' ? sourceSections(schema, root) : section(`## ${key}`, key, schema, root),
  );
  return [
    INTRODUCTION,
    '## Keys that take one value\n',
    ...table(
      plain.map(([key, schema]) => ({ path: key, schema })),
      root,
    ),
    ...sections,
  ].join('\n');
}

/** One table for what every kind shares, one for each kind. */
function sourceSections(schema: Schema, root: Schema): string[] {
  const [sources] = alternatives(schema, root);
  const [source] = alternatives(valuesOf(sources!)!, root);
  const entries = Object.entries(source!.properties ?? {});
  const shared = entries.findIndex(([key]) => key === 'prefix');
  return [
    '## sources\n',
    `${schema.description ?? ''} Below, \`NAME\` is the source's name: \`sources.NAME.…\`.\n`,
    '### What every kind shares\n',
    ...table(
      entries.slice(shared).flatMap(([key, one]) => rowsBelow({ path: key, schema: one }, root)),
      root,
    ),
    ...variantTables(
      entries.slice(shared).map(([path, one]) => ({ path, schema: one })),
      root,
      '####',
    ),
    ...entries.slice(0, shared).flatMap(([key, one]) => section(`### Kind ${key}`, key, one, root)),
  ];
}

function section(heading: string, key: string, schema: Schema, root: Schema): string[] {
  const below = rowsBelow({ path: key, schema }, root);
  const depth = heading.startsWith('###') ? '####' : '###';
  const what = describedIn(schema, root);
  // an object alone says nothing that its heading does not
  const own = wordsOf(schema, root) === 'object' ? below.slice(1) : below;
  return [
    `${heading}\n`,
    ...(own.length < below.length && what !== '' ? [`${what}\n`] : []),
    ...(below.length === 1 && own.length === 0 ? ['It has no settings: `{}`.\n'] : []),
    ...table(own, root),
    ...variantTables([{ path: key, schema }], root, depth),
  ];
}

function isStructured(schema: Schema, root: Schema): boolean {
  return rowsBelow({ path: '', schema }, root).length > 1;
}

/** A row and those of all that lies below it; settings that hang on a provider are left to tables of their own. */
function rowsBelow(place: Place, root: Schema): Place[] {
  return [place, ...childrenOf(place, root).flatMap((child) => rowsBelow(child, root))];
}

function childrenOf({ path, schema }: Place, root: Schema): Place[] {
  const parts = alternatives(schema, root);
  if (isSecret(parts) || path.endsWith('.schemes')) return [];
  const objects = parts.filter(({ properties }) => properties !== undefined).length;
  const children = parts.flatMap((part) => {
    if (isSelector(part) || providerOf(part) !== undefined) return [];
    const items = itemsOf(part);
    if (items !== undefined) return childrenOf({ path: `${path}[]`, schema: items }, root);
    const values = valuesOf(part);
    const named = values === undefined ? [] : childrenOf({ path: `${path}.NAME`, schema: values }, root);
    const own = Object.entries(part.properties ?? {}).map(([key, one]) => ({
      path: `${path}.${key}`,
      schema: one,
      required: objects === 1 && part.required?.includes(key) === true,
    }));
    return [...named, ...own];
  });
  return [...new Map(children.map((child) => [child.path, child])).values()];
}

/** Settings that say themselves whose they are: \`provider: brave\`. */
function providerOf(schema: Schema): string | undefined {
  const named = schema.properties?.['provider']?.const;
  return typeof named === 'string' ? named : undefined;
}

function variantTables(places: readonly Place[], root: Schema, depth: string): string[] {
  const variants = places.flatMap((place) => variantsBelow(place, root));
  const byProvider = Map.groupBy(variants, ({ path, provider }) => `${path}: provider ${provider}`);
  return [...byProvider].flatMap(([title, ones]) => {
    const rows = ones.flatMap(({ path, schema }) =>
      Object.entries(schema.properties ?? {})
        .filter(([key]) => key !== 'provider')
        .flatMap(([key, one]) =>
          rowsBelow(
            { path: `${path}.${key}`, schema: one, required: schema.required?.includes(key) === true },
            root,
          ),
        ),
    );
    const once = [...new Map(rows.map((row) => [row.path, row])).values()];
    return [`${depth} ${title}\n`, ...table(once, root)];
  });
}

function variantsBelow(place: Place, root: Schema): Variant[] {
  const parts = alternatives(place.schema, root);
  const listed = parts.flatMap((part) => {
    const items = itemsOf(part);
    return items === undefined ? [part] : alternatives(items, root);
  });
  const own = listed.flatMap((schema) => {
    const provider = providerOf(schema);
    return provider === undefined ? [] : [{ path: place.path, schema, provider }];
  });
  const distinct = [...new Map(own.map((one) => [JSON.stringify(one.schema), one])).values()];
  return [...distinct, ...childrenOf(place, root).flatMap((child) => variantsBelow(child, root))];
}

function table(rows: readonly Place[], root: Schema): string[] {
  if (rows.length === 0) return [];
  const lines = rows
    .map((row) => ({ ...row, words: takes(row, root), what: describedIn(row.schema, root) }))
    .filter(({ words, what, required }) => words !== 'object' || what !== '' || required === true)
    .map(({ path, words, what, required }) => {
      const must = required === true ? `${words}; required` : words;
      return `| \`${path}\` | ${cell(must)} | ${cell(what)} |`;
    });
  return ['| key | takes | |', '|---|---|---|', ...lines, ''];
}

function takes({ path, schema }: Place, root: Schema): string {
  return path.endsWith('.schemes') ? 'the same settings, by name' : wordsOf(schema, root);
}

function describedIn(schema: Schema, root: Schema): string {
  const own = schema.description ?? resolved(schema, root).description;
  // what a secret is stands above the tables
  if (own !== undefined && isSecret(alternatives(schema, root)) && own.includes('{ file: PATH }')) return '';
  if (own !== undefined) return own;
  const [only, ...more] = alternatives(schema, root);
  return more.length === 0 ? (only?.description ?? '') : '';
}
