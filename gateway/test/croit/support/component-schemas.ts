import { type Document, operationsOf } from './croit-document.ts';

export interface SplitSchemas {
  /** Names of component schemas that the operations refer to, through others too. */
  readonly mine: ReadonlySet<string>;
  /** Names that only the other operations refer to. */
  readonly others: readonly string[];
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

export function schemasOf(document: Document, isMine: (id: string) => boolean): SplitSchemas {
  const { schemas } = (document as Document & { readonly components: { readonly schemas: object } })
    .components;
  const known = new Map(Object.entries(schemas).map(([name, schema]) => [name, namesIn(schema)]));
  const used = (fits: (id: string) => boolean) => {
    const found = new Set<string>();
    const open = operationsOf(document).flatMap(({ id, operation }) => (fits(id) ? namesIn(operation) : []));
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (found.has(name)) continue;
      found.add(name);
      open.push(...(known.get(name) ?? []));
    }
    return found;
  };
  const mine = used(isMine);
  return { mine, others: [...used((id) => !isMine(id))].filter((name) => !mine.has(name)) };
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(REFERENCE)].map(([, name]) => name!);
}
