import { sameness } from './clean.ts';
import { type Counted, countTexts, type Say } from './count-texts.ts';
import type { HintParameter, OperationHints } from './hints.ts';

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
  const texts = (tell: (hints: OperationHints, say: Say) => void): readonly Counted[] =>
    countTexts(list, tell).map(({ text, count }) => ({ text, count }));
  const confirming = list.filter(({ requiresConfirmation }) => requiresConfirmation === true);
  return {
    operations: list.length,
    purposes: texts(({ purpose }, say) => say(purpose)),
    usage: texts(({ usage }, say) => sayEach(usage, say)),
    parameters: parameters(list),
    failureModes: texts(({ failureModes }, say) => sayEach(failureModes, say)),
    errorHandling: countTexts(list, ({ errorHandling = [] }, say) => {
      for (const { code, action } of errorHandling) say(action, code);
    }).map(({ key: code, text, count }) => ({ code, text, count })),
    confirmations: {
      count: confirming.length,
      reasons: texts(({ requiresConfirmation, confirmationReason }, say) => {
        if (requiresConfirmation === true) say(confirmationReason);
      }),
    },
    notIdempotent: list.filter(({ idempotent }) => idempotent === false).length,
    postprocessing: texts(({ postprocessing }, say) => say(postprocessing)),
    pollSeconds: [...new Set(list.flatMap(({ pollIntervalSeconds }) => pollIntervalSeconds ?? []))].sort(
      (a, b) => a - b,
    ),
    relatedEndpoints: texts(({ relatedEndpoints }, say) => sayEach(relatedEndpoints, say)),
    preChecks: texts(({ workflow }, say) => say(workflow?.preCheck)),
    postActions: texts(({ workflow }, say) => say(workflow?.postAction)),
  };
}

function sayEach(texts: readonly string[] = [], say: Say): void {
  for (const text of texts) say(text);
}

/** By name: the text that most operations give it, counted by how many operations have the parameter. */
function parameters(list: readonly OperationHints[]): AggregatedHints['parameters'] {
  const byName = new Map<string, { name: string; text: string; count: number }>();
  const told = countTexts(list, (hints, say) => {
    for (const { name, description } of namedOnce(hints)) say(description, name);
  });
  for (const { key: name, text, count } of told) {
    if (!saysSomething(name, text)) continue;
    const entry = byName.get(name);
    if (entry === undefined) byName.set(name, { name, text, count });
    else entry.count += count;
  }
  return [...byName.values()].sort((a, b) => b.count - a.count);
}

/** Every parameter that hints tell something about, in path, body and query, each name once. */
export function parametersOf(hints: OperationHints): readonly HintParameter[] {
  return namedOnce(hints).filter(({ name, description }) => saysSomething(name, description));
}

/** Every parameter that hints name, as it is named first. */
function namedOnce({
  pathParameters = [],
  requestParameters = [],
  commonParameters,
  parameterDetails,
}: OperationHints): readonly HintParameter[] {
  const named = new Map<string, HintParameter>();
  const add = (parameter: HintParameter) => {
    if (!named.has(parameter.name)) named.set(parameter.name, parameter);
  };
  pathParameters.forEach(add);
  requestParameters.forEach(add);
  const notes = Object.entries({ ...parameterDetails, ...commonParameters });
  for (const [name, description] of notes) add({ name, description });
  return [...named.values()];
}

/** Generated texts such as `expiry parameter` say nothing that the name does not. */
function saysSomething(name: string, description: string | undefined): boolean {
  if (description === undefined) return false;
  const words = sameness(description);
  return words !== '' && words !== sameness(name) && words !== `${sameness(name)} parameter`;
}
