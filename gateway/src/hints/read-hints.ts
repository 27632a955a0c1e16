import type { Json, JsonObject } from '../operations/index.ts';
import type { ErrorAdvice, HintField, HintParameter, OperationHints, RateAdvice } from './hints.ts';
import { Members, numberOf, textOf } from './members.ts';

/** Hints in the vocabulary of `x-llm-hints`, typed. What has a wrong type is left out, what is not known is kept. */
export function readHints(json: JsonObject): OperationHints {
  return examineHints(json).hints;
}

/** The same, with the names of members that could not be read. */
export function examineHints(json: JsonObject): {
  readonly hints: OperationHints;
  readonly problems: readonly string[];
} {
  const members = new Members(json);
  const read: { readonly [K in keyof OperationHints]: OperationHints[K] | undefined } = {
    purpose: members.text('purpose'),
    usage: members.texts('usage'),
    failureModes: members.texts('failure_modes'),
    errorHandling: members.objects('error_handling', errorAdvice),
    idempotent: members.flag('idempotent'),
    requiresConfirmation: confirmation(members),
    confirmationReason: members.text('confirmation_reason'),
    relatedEndpoints: members.texts('related_endpoints'),
    rateLimit: members.object('rate_limit', rateAdvice),
    postprocessing: members.text('postprocessing_hint'),
    responseShape: members.text('response_shape'),
    inputFields: fields(members, 'input_schema'),
    outputFields: fields(members, 'output_schema'),
    pathParameters: parameters(members, 'path_parameters'),
    requestParameters: parameters(members, 'request_parameters'),
    semanticCategory: members.text('semantic_category'),
    retryStrategy: members.text('retry_strategy'),
    cacheHint: members.text('cache_hint'),
    workflow: members.object('workflow_guidance', (object) =>
      present({ preCheck: textOf(object['pre_check']), postAction: textOf(object['post_action']) }),
    ),
    workflowDependencies: members.object('workflow_dependencies', (object) =>
      present({ prerequisite: textOf(object['prerequisite']), order: textOf(object['order']) }),
    ),
    pollIntervalSeconds: pollInterval(members),
    commonParameters: members.textMap('common_parameters'),
    parameterDetails: members.textMap('parameter_details'),
    priority: members.text('llm_priority'),
    priorityReason: members.text('llm_priority_reason'),
    streaming: members.flag('streaming_response'),
    defaultValues: members.textMap('default_values'),
    requestExamples: examples(members),
    cephIntegration: members.value('ceph_integration'),
    tokenOptimization: members.value('token_optimization'),
    other: members.rest(),
  };
  return { hints: present(read) ?? {}, problems: members.problems };
}

/** What is said in a form that is not understood counts as a wish for a person. */
function confirmation(members: Members): boolean | undefined {
  const value = members.value('requires_confirmation');
  return members.flag('requires_confirmation') ?? (value === undefined || value === '' ? undefined : true);
}

function errorAdvice({ code, action }: JsonObject): ErrorAdvice | undefined {
  const read = { code: textOf(code), action: textOf(action) };
  return read.code === undefined || read.action === undefined
    ? undefined
    : { code: read.code, action: read.action };
}

function rateAdvice({ limit, window_seconds: window, note }: JsonObject): RateAdvice | undefined {
  return present({ limit: numberOf(limit), windowSeconds: numberOf(window), note: textOf(note) });
}

/** `{ fields: [ … ] }`, or the list alone. */
function fields(members: Members, name: string): readonly HintField[] | undefined {
  const value = members.value(name);
  if (Array.isArray(value)) return members.objects(name, field);
  return members.object(name, (object) => {
    const inner = new Members(object);
    return inner.objects('fields', field);
  });
}

function field({ name, type, required, description }: JsonObject): HintField | undefined {
  const read = textOf(name);
  if (read === undefined) return undefined;
  return {
    name: read,
    ...present({
      type: textOf(type),
      required: typeof required === 'boolean' ? required : undefined,
      description: textOf(description),
    }),
  };
}

/** A parameter that stands twice is kept once, as it is said last: generated entries come first. */
function parameters(members: Members, name: string): readonly HintParameter[] | undefined {
  const list = members.objects(name, (object) => {
    const { type: _type, ...rest } = field(object) ?? { name: '' };
    if (rest.name === '') return undefined;
    return { ...rest, ...present({ in: textOf(object['in']), example: exampleText(object['example']) }) };
  });
  return (
    list && [...new Map(list.map((one): [string, HintParameter] => [`${one.in} ${one.name}`, one])).values()]
  );
}

function exampleText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return textOf(value) ?? textOf(JSON.stringify(value));
}

const UNIT_SECONDS: Readonly<Record<string, number>> = Object.freeze({
  ms: 0.001,
  millisecond: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
});

/** `{ value, unit }`, or seconds, under either name. */
function pollInterval(members: Members): number | undefined {
  const [short, long] = ['poll_interval', 'recommended_poll_interval'].map((name) => {
    if (typeof members.value(name) !== 'object') return numberOf(members.text(name));
    return members.object(name, ({ value, unit }) => {
      const named = (textOf(unit) ?? 'seconds').toLowerCase();
      const key = named.length > 2 ? named.replace(/s$/, '') : named;
      const factor = Object.hasOwn(UNIT_SECONDS, key) ? UNIT_SECONDS[key] : undefined;
      const amount = numberOf(value);
      return factor === undefined || amount === undefined ? undefined : amount * factor;
    });
  });
  const seconds = short ?? long;
  return seconds !== undefined && seconds > 0 ? seconds : undefined;
}

function examples(members: Members): readonly Json[] | undefined {
  const value = members.value('request_examples');
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.slice(0, 20) : [value];
}

/** The members that have a value; undefined where none has. */
function present<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } | undefined {
  const kept = Object.entries(object).filter(([, value]) => value !== undefined);
  return kept.length === 0
    ? undefined
    : (Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> });
}
