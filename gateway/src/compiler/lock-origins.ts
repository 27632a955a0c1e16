/** An origin that a definition leads to. */
export interface Leading {
  /** `calls`: its requests go there, with the credential; `tokens`: tokens are asked for there, with the client's secret. */
  readonly what: 'calls' | 'tokens';
  readonly origin: string;
  /** The configuration names it for the source. */
  readonly isNamed: boolean;
}

interface Compiled {
  readonly name: string;
  readonly source: string;
  readonly definition: object;
}

interface Locked {
  readonly source: string;
  readonly definition?: object;
}

/** Nothing of what the configuration alone decides. */
export type LeadingOf = (source: string, definition: object) => readonly Leading[];

/**
 * Where a tool leads and no accepted one of its source does, nor the configuration: a secret of the source would go
 * there. A source of which nothing was accepted that leads anywhere has nothing to compare with.
 */
export function createNewOrigins(
  entries: readonly Compiled[],
  { tools }: { readonly tools: Readonly<Record<string, Locked>> },
  leadingOf: LeadingOf,
): (tool: string) => Leading | undefined {
  let byName: ReadonlyMap<string, Compiled> | undefined;
  const accepted = new Map<string, readonly Leading[]>();
  const acceptedOf = (source: string) => {
    const known = accepted.get(source);
    if (known !== undefined) return known;
    const found = Object.values(tools).flatMap(({ source: of, definition }) =>
      of === source && definition !== undefined ? leadingOf(source, definition) : [],
    );
    const different = [...new Map(found.map((one) => [`${one.what} ${one.origin}`, one])).values()];
    accepted.set(source, different);
    return different;
  };
  return (tool) => {
    byName ??= new Map(entries.map((entry) => [entry.name, entry]));
    const entry = byName.get(tool);
    if (entry === undefined) return undefined;
    const { source, definition } = entry;
    return leadingOf(source, definition).find(({ what, origin, isNamed }) => {
      if (isNamed) return false;
      const before = acceptedOf(source).filter((one) => one.what === what);
      return before.length > 0 && !before.some((one) => one.origin === origin);
    });
  };
}
