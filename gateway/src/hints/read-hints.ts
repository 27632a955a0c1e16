import type { Json, JsonObject } from '../operations/index.ts';
import type { ErrorAdvice, HintField, HintParameter, OperationHints, RateAdvice } from './hints.ts';
import { Members, numberOf, textOf } from './members.ts';

type HintName = keyof OperationHints;

/** How each member is read; `other` is last, since it holds what no one else asked for. */
const READERS: { readonly [Name in HintName]-?: (members: Members) => OperationHints[Name] | undefined } = {
  purpose: (members) => members.text('purpose'),
  usage: (members) => members.texts('usage'),
  failureModes: (members) => members.texts('failure_modes'),
  errorHandling: (members) => members.objects('error_handling', errorAdvice),
  idempotent: (members) => members.flag('idempotent'),
  requiresConfirmation: confirmation,
  confirmationReason: (members) => members.text('confirmation_reason'),
  relatedEndpoints: (members) => members.texts('related_endpoints'),
  rateLimit: (members) => members.object('rate_limit', rateAdvice),
  postprocessing: (members) => members.text('postprocessing_hint'),
  responseShape: (members) => members.text('response_shape'),
  inputFields: (members) => fields(members, 'input_schema'),
  outputFields: (members) => fields(members, 'output_schema'),
  pathParameters: (members) => parameters(members, 'path_parameters'),
  requestParameters: (members) => parameters(members, 'request_parameters'),
  semanticCategory: (members) => members.text('semantic_category'),
  retryStrategy: (members) => members.text('retry_strategy'),
  cacheHint: (members) => members.text('cache_hint'),
  workflow: (members) =>
    members.object('workflow_guidance', (object) =>
      present({ preCheck: textOf(object['pre_check']), postAction: textOf(object['post_action']) }),
    ),
  workflowDependencies: (members) =>
    members.object('workflow_dependencies', (object) =>
      present({ prerequisite: textOf(object['prerequisite']), order: textOf(object['order']) }),
    ),
  pollIntervalSeconds: pollInterval,
  commonParameters: (members) => members.textMap('common_parameters'),
  parameterDetails: (members) => members.textMap('parameter_details'),
  priority: (members) => members.text('llm_priority'),
  priorityReason: (members) => members.text('llm_priority_reason'),
  streaming: (members) => members.flag('streaming_response'),
  defaultValues: (members) => members.textMap('default_values'),
  requestExamples: examples,
  cephIntegration: (members) => members.value('ceph_integration'),
  tokenOptimization: (members) => members.value('token_optimization'),
  other: (members) => members.rest(),
};
const ALL = Object.keys(READERS) as readonly HintName[];

/** Names of members that mean something, as a document writes them. */
export function hintMembers(): readonly string[] {
  const members = new Members({});
  read(members, ALL);
  return members.known;
}

/** Hints in the vocabulary of `x-llm-hints`, typed. What has a wrong type is left out, what is not known is kept. */
export function readHints(json: JsonObject): OperationHints {
  return examineHints(json).hints;
}

/** Only the members that are named, for whoever reads the hints of many operations. */
export function readSomeHints<Name extends Exclude<HintName, 'other'>>(
  json: JsonObject,
  names: readonly Name[],
): Pick<OperationHints, Name> {
  return read(new Members(json), names);
}

/** All of them, with the names of members that could not be read. */
export function examineHints(json: JsonObject): {
  readonly hints: OperationHints;
  readonly problems: readonly string[];
} {
  const members = new Members(json);
  return { hints: read(members, ALL), problems: members.problems };
}

function read<Name extends HintName>(members: Members, names: readonly Name[]): Pick<OperationHints, Name> {
  const hints: Partial<Record<HintName, unknown>> = {};
  for (const name of names) {
    const value = READERS[name](members);
    if (value !== undefined) hints[name] = value;
  }
  return hints as Pick<OperationHints, Name>;
}

/** What is said in a form that is not understood counts as a wish for a person. */
function confirmation(members: Members): boolean | undefined {
  const value = members.value('requires_confirmation');
  return members.flag('requires_confirmation') ?? (value === undefined || value === '' ? undefined : true);
}

function errorAdvice({ code: status, action: advice }: JsonObject): ErrorAdvice | undefined {
  const code = textOf(status);
  const action = textOf(advice);
  return code === undefined || action === undefined ? undefined : { code, action };
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
  const list = members.objects(name, parameter);
  return list && [...new Map(list.map((one) => [`${one.in} ${one.name}`, one] as const)).values()];
}

function parameter({
  name,
  in: place,
  required,
  description,
  example,
}: JsonObject): HintParameter | undefined {
  const read: { -readonly [Key in keyof HintParameter]: HintParameter[Key] } = { name: textOf(name) ?? '' };
  if (read.name === '') return undefined;
  const [where, about, shown] = [textOf(place), textOf(description), exampleText(example)];
  if (where !== undefined) read.in = where;
  if (typeof required === 'boolean') read.required = required;
  if (about !== undefined) read.description = about;
  if (shown !== undefined) read.example = shown;
  return read;
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
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  let isEmpty = true;
  for (const key in object) {
    const value = object[key];
    if (value === undefined) continue;
    kept[key] = value as Exclude<T[typeof key], undefined>;
    isEmpty = false;
  }
  return isEmpty ? undefined : kept;
}
