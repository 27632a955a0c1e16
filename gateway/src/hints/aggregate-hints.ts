import { sameness } from './clean.ts';
import type { HintParameter, OperationHints } from './hints.ts';

/** Something that several operations say, and how many. */
export interface Counted {
  readonly text: string;
  readonly count: number;
}

/** What a group of operations says, each thing once, the most common first; ties in the order of the operations. */
export interface AggregatedHints {
  /** Operations with hints. */
  readonly operations: number;
  readonly purposes: readonly Counted[];
  readonly usage: readonly Counted[];
  readonly parameters: readonly (Counted & { readonly name: string })[];
  readonly failureModes: readonly Counted[];
  /** `text` is the action. */
  readonly errorHandling: readonly (Counted & { readonly code: string })[];
  readonly confirmations: { readonly count: number; readonly reasons: readonly Counted[] };
  readonly notIdempotent: number;
  readonly postprocessing: readonly Counted[];
  /** Shortest first. */
  readonly pollSeconds: readonly number[];
  readonly relatedEndpoints: readonly Counted[];
  readonly preChecks: readonly Counted[];
  readonly postActions: readonly Counted[];
}

/** One summary of many hints, e.g. of everything in a category. */
export function aggregateHints(list: readonly OperationHints[]): AggregatedHints {
  const texts = (read: (hints: OperationHints) => readonly (string | undefined)[] | undefined) =>
    counted(list.map((hints) => (read(hints) ?? []).flatMap((text) => (text === undefined ? [] : [text]))));
  const confirming = list.filter(({ requiresConfirmation }) => requiresConfirmation === true);
  return {
    operations: list.length,
    purposes: texts(({ purpose }) => [purpose]),
    usage: texts(({ usage }) => usage),
    parameters: parameters(list),
    failureModes: texts(({ failureModes }) => failureModes),
    errorHandling: pairs(list, ({ errorHandling = [] }) =>
      errorHandling.map(({ code, action }) => [code, action]),
    ).map(({ key, ...rest }) => ({ code: key, ...rest })),
    confirmations: {
      count: confirming.length,
      reasons: counted(
        confirming.map(({ confirmationReason: reason }) => (reason === undefined ? [] : [reason])),
      ),
    },
    notIdempotent: list.filter(({ idempotent }) => idempotent === false).length,
    postprocessing: texts(({ postprocessing }) => [postprocessing]),
    pollSeconds: [...new Set(list.flatMap(({ pollIntervalSeconds }) => pollIntervalSeconds ?? []))].sort(
      (a, b) => a - b,
    ),
    relatedEndpoints: texts(({ relatedEndpoints }) => relatedEndpoints),
    preChecks: texts(({ workflow }) => [workflow?.preCheck]),
    postActions: texts(({ workflow }) => [workflow?.postAction]),
  };
}

/** Texts by how many operations say them; the spelling that is met first is kept. */
function counted(perOperation: readonly (readonly string[])[]): Counted[] {
  return pairsOf(perOperation.map((texts) => texts.map((text): Pair => ['', text]))).map(
    ({ text, count }) => ({ text, count }),
  );
}

type Pair = readonly [key: string, text: string];

function pairs(
  list: readonly OperationHints[],
  read: (hints: OperationHints) => readonly Pair[],
): readonly (Counted & { readonly key: string })[] {
  return pairsOf(list.map(read));
}

function pairsOf(perOperation: readonly (readonly Pair[])[]): (Counted & { readonly key: string })[] {
  const known = new Map<string, { key: string; text: string; count: number }>();
  for (const said of perOperation) {
    const once = new Map<string, Pair>();
    for (const pair of said) {
      const identity = `${pair[0]}\n${sameness(pair[1])}`;
      if (!once.has(identity)) once.set(identity, pair);
    }
    for (const [identity, [key, text]] of once) {
      const entry = known.get(identity);
      if (entry === undefined) known.set(identity, { key, text, count: 1 });
      else entry.count += 1;
    }
  }
  return [...known.values()].sort((a, b) => b.count - a.count);
}

/** By name: the text that most operations give it, counted by how many operations have the parameter. */
function parameters(list: readonly OperationHints[]): AggregatedHints['parameters'] {
  const texts = pairs(list, (hints) =>
    parametersOf(hints).map(({ name, description }): Pair => [name, description ?? '']),
  );
  const byName = new Map<string, { name: string; text: string; count: number }>();
  for (const { key, text, count } of texts) {
    const entry = byName.get(key);
    if (entry === undefined) byName.set(key, { name: key, text, count });
    else {
      entry.count += count;
      if (entry.text === '') entry.text = text;
    }
  }
  return [...byName.values()].sort((a, b) => b.count - a.count);
}

/** Every parameter that hints tell something about, in path, body and query, each name once. */
export function parametersOf({
  pathParameters = [],
  requestParameters = [],
  commonParameters = {},
  parameterDetails = {},
}: OperationHints): readonly HintParameter[] {
  const notes = Object.entries({ ...parameterDetails, ...commonParameters });
  const all: readonly HintParameter[] = [
    ...pathParameters,
    ...requestParameters,
    ...notes.map(([name, description]) => ({ name, description })),
  ];
  return all.filter(
    ({ name, description }, index) =>
      saysSomething(name, description) && all.findIndex((other) => other.name === name) === index,
  );
}

/** Generated texts such as `expiry parameter` say nothing that the name does not. */
function saysSomething(name: string, description: string | undefined): boolean {
  if (description === undefined) return false;
  const words = sameness(description);
  return words !== '' && words !== sameness(name) && words !== `${sameness(name)} parameter`;
}
