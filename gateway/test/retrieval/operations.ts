import type { Access, JsonObject, VisibleOperation } from '../../src/operations/index.ts';

interface Described {
  readonly source?: string;
  readonly access?: Access;
  readonly method?: string;
  readonly path?: string;
  readonly tags?: readonly string[];
  readonly title?: string;
  readonly purpose?: string;
  readonly properties?: JsonObject;
}

/** An operation as a view shows it; reading the whole of it is an error. */
export function visible(name: string, description: string, described: Described = {}): VisibleOperation {
  const { source = 'shop', access = 'read', method, path = '/', tags = [], title, purpose } = described;
  const annotations = {
    readOnlyHint: access === 'read',
    destructiveHint: access === 'delete',
    idempotentHint: false,
    openWorldHint: true,
  };
  return {
    operation: `${source}/${name}`,
    source,
    name,
    tool: {
      name,
      description,
      inputSchema: { type: 'object', properties: described.properties ?? {} },
      annotations,
    },
    facts: {
      id: name,
      source,
      access,
      tags,
      safety: {
        network: true,
        file: false,
        destructive: access === 'delete',
        idempotent: false,
        openWorld: true,
      },
      ...(method === undefined ? {} : { http: { method, path } }),
      ...(title === undefined ? {} : { title }),
      ...(purpose === undefined ? {} : { purpose }),
    },
    load() {
      throw new Error(`${name} was read whole`);
    },
  };
}
