/** `x-ms-api-annotation`: which family an operation belongs to, and its place among the revisions. */
export interface ApiAnnotation {
  readonly family?: string | undefined;
  readonly revision?: number | undefined;
  readonly status?: string | undefined;
}

/** What the filters look at. */
export interface FilterFacts {
  readonly operationId: string;
  readonly path: string;
  /** `important`, `advanced`, `internal` or `none`. */
  readonly visibility: string;
  readonly isTrigger: boolean;
  readonly deprecated: boolean;
  readonly apiAnnotation?: ApiAnnotation | undefined;
}

export interface FilterOptions {
  /** Deprecated operations without a newer revision stay. Default true. */
  readonly includeDeprecated?: boolean;
}

export interface Sorted<T> {
  /** In the document's order. */
  readonly kept: T[];
  readonly dropped: ReadonlyArray<{ readonly operation: T; readonly reason: string }>;
}

/** Which operations of a connector become tools, and why the others do not. Later rules see what earlier ones left. */
export function sortOut<T extends FilterFacts>(
  operations: readonly T[],
  options: FilterOptions = {},
): Sorted<T> {
  const dropped: { operation: T; reason: string }[] = [];
  let kept = [...operations];
  const keepOnly = (left: ReadonlySet<T>, reason: (operation: T) => string): void => {
    for (const operation of kept)
      if (!left.has(operation)) dropped.push({ operation, reason: reason(operation) });
    kept = kept.filter((operation) => left.has(operation));
  };
  const keepWhere = (test: (operation: T) => boolean, reason: string): void =>
    keepOnly(new Set(kept.filter(test)), () => reason);
  keepWhere((one) => one.visibility !== 'internal', 'internal: made for the designer of the connector');
  keepWhere((one) => !one.isTrigger, 'a trigger, which subscribes rather than acts');
  keepWhere((one) => !one.path.includes('$subscriptions'), 'manages subscriptions of triggers');
  keepOnly(new Set(deduplicateByFamily(kept)), (one) => `there is a newer revision of ${familyOf(one)}`);
  if (options.includeDeprecated === false)
    keepWhere((one) => !one.deprecated, 'deprecated, and includeDeprecated is off');
  return { kept, dropped };
}

/** The operations that become tools, in the document's order. */
export function filterOperations<T extends FilterFacts>(
  operations: readonly T[],
  options?: FilterOptions,
): T[] {
  return sortOut(operations, options).kept;
}

/**
 * The newest revision of each family. Without an annotation an operation is a family of its own name, revision 1;
 * without one and not deprecated it stays whatever else bears that name.
 */
export function deduplicateByFamily<T extends FilterFacts>(operations: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const operation of operations) {
    const known = newest.get(familyOf(operation));
    if (known === undefined || revisionOf(known) < revisionOf(operation))
      newest.set(familyOf(operation), operation);
  }
  const kept = new Set(newest.values());
  for (const operation of operations) {
    if (operation.apiAnnotation?.family === undefined && !operation.deprecated) kept.add(operation);
  }
  return operations.filter((operation) => kept.has(operation));
}

function familyOf({ operationId, path, apiAnnotation }: FilterFacts): string {
  return apiAnnotation?.family ?? (operationId === '' ? path : operationId);
}

function revisionOf({ apiAnnotation }: FilterFacts): number {
  return apiAnnotation?.revision ?? 1;
}
