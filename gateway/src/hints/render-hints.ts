import { type AggregatedHints, parametersOf } from './aggregate-hints.ts';
import { hintText } from './clean.ts';
import type { Counted } from './count-texts.ts';
import type { HintField, OperationHints } from './hints.ts';
import { resultNotes } from './result-notes.ts';
import { plainType } from './type-words.ts';

/** Characters that one token is taken to have: the budget is kept in characters, strictly. */
const CHARACTERS_PER_TOKEN = 4;

/** One line of the text: a label and what follows it, the most useful first. */
interface Section {
  readonly label: string;
  readonly items: readonly string[];
  readonly separator?: string;
}

/** Of what is left, the share that one line may take, so that one long list does not cost all others. */
const SHARE = { one: 0.5, many: 0.3 };
const ITEM_LENGTH = 300;
const MAX_ITEMS = 12;
/** Shorter rests of a text tell nothing. */
const SHORTEST = 24;

/** Hints as lines of text within `4 × budgetTokens` characters; what does not fit is left out, last things first. */
export function renderHints(hints: OperationHints | AggregatedHints, budgetTokens: number): string {
  let left = Math.max(0, Math.floor(budgetTokens * CHARACTERS_PER_TOKEN));
  const lines: string[] = [];
  const many = 'operations' in hints;
  for (const section of many ? sectionsOfMany(hints) : sectionsOfOne(hints)) {
    const newline = lines.length === 0 ? 0 : 1;
    const share = many ? SHARE.many : lines.length === 0 ? 1 : SHARE.one;
    const line = render(section, Math.floor((left - newline) * share));
    if (line === undefined) continue;
    lines.push(line);
    left -= line.length + newline;
  }
  return lines.join('\n');
}

function render({ label, items, separator = '; ' }: Section, room: number): string | undefined {
  let line = label === '' ? '' : `${label}: `;
  const empty = line.length;
  for (const item of items.slice(0, MAX_ITEMS)) {
    const gap = line.length === empty ? '' : separator;
    const rest = room - line.length - gap.length;
    if (rest < SHORTEST && rest < item.length) break;
    const text = hintText(item, Math.min(rest, ITEM_LENGTH));
    if (text === '') continue;
    line += gap + text;
  }
  return line.length === empty ? undefined : line;
}

function sectionsOfOne(hints: OperationHints): readonly Section[] {
  const { workflow, workflowDependencies: order, requiresConfirmation, confirmationReason } = hints;
  const parameters = parametersOf(hints).map(({ name, description, example }) =>
    [`${name}: ${description}`, ...(isPlaceholder(example) ? [] : [`e.g. ${example}`])].join(', '),
  );
  const defaults = Object.entries(hints.defaultValues ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [
    { label: '', items: texts(hints.purpose) },
    { label: 'Use', items: hints.usage ?? [] },
    { label: 'First', items: texts(order?.prerequisite, workflow?.preCheck) },
    { label: 'Parameters', items: parameters },
    { label: 'Defaults', items: defaults },
    { label: 'Example', items: (hints.requestExamples ?? []).map((example) => JSON.stringify(example)) },
    { label: 'Fails', items: withoutStatuses(hints) },
    { label: 'On error', items: (hints.errorHandling ?? []).map(({ code, action }) => `${code}: ${action}`) },
    {
      label: 'A person agrees first',
      items: requiresConfirmation === true ? [confirmationReason ?? 'yes'] : [],
    },
    { label: 'Not repeatable', items: hints.idempotent === false ? ['each call has its own effect'] : [] },
    { label: 'Note', items: [...resultNotes(hints), ...rateNote(hints)], separator: ' ' },
    { label: 'Answer', items: answerOf(hints) },
    { label: 'Then', items: texts(workflow?.postAction, hints.postprocessing) },
    { label: 'Order', items: texts(order?.order) },
    { label: 'Related', items: hints.relatedEndpoints ?? [], separator: ', ' },
  ];
}

function sectionsOfMany(all: AggregatedHints): readonly Section[] {
  const { confirmations, notIdempotent, pollSeconds, parameters, errorHandling } = all;
  const of = (count: number) => `${count} of ${all.operations} operations`;
  return [
    { label: 'For', items: textsOf(all.purposes) },
    { label: 'Use', items: textsOf(all.usage) },
    {
      label: 'Parameters',
      items: parameters.map(({ name, text }) => `${name}: ${text}`),
    },
    { label: 'Fails', items: withoutStatuses({ failureModes: textsOf(all.failureModes), errorHandling }) },
    { label: 'On error', items: errorHandling.map(({ code, text }) => `${code}: ${text}`) },
    {
      label: 'A person agrees first',
      items: confirmations.count === 0 ? [] : [of(confirmations.count), ...textsOf(confirmations.reasons)],
    },
    { label: 'Not repeatable', items: notIdempotent === 0 ? [] : [of(notIdempotent)] },
    {
      label: 'Poll',
      items: pollSeconds[0] === undefined ? [] : [`every ${seconds(pollSeconds[0])} at the most`],
    },
    { label: 'First', items: textsOf(all.preChecks) },
    { label: 'Then', items: textsOf([...all.postActions, ...all.postprocessing]) },
    { label: 'Related', items: textsOf(all.relatedEndpoints), separator: ', ' },
  ];
}

/** `404 if …` is said by the advice on errors already, where there is one. */
function withoutStatuses({
  failureModes = [],
  errorHandling = [],
}: {
  readonly failureModes?: readonly string[];
  readonly errorHandling?: ReadonlyArray<{ readonly code: string }>;
}): readonly string[] {
  const codes = new Set(errorHandling.map(({ code }) => code));
  return failureModes.filter((mode) => !codes.has(/^\d{3}\b/.exec(mode)?.[0] ?? ''));
}

/** Generated examples (`example-value`) show nothing. */
function isPlaceholder(example: string | undefined): boolean {
  return example === undefined || /^(?:example[-_ ]\w+|string|value)$/i.test(example);
}

function answerOf({ responseShape, outputFields = [] }: OperationHints): readonly string[] {
  const shape = responseShape === undefined ? [] : [plainType(responseShape)];
  return [...shape, ...outputFields.map(fieldText)];
}

/** `name (type)`, with its description where that says more than the name. */
function fieldText({ name, type, description }: HintField): string {
  const said = type === undefined ? name : `${name} (${plainType(type)})`;
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const dull = description === undefined || plain(description) === `${plain(name)}parameter`;
  return dull ? said : `${said}: ${description}`;
}

function rateNote({ rateLimit }: OperationHints): string[] {
  const { limit, windowSeconds } = rateLimit ?? {};
  if (limit === undefined || windowSeconds === undefined) return [];
  return [`At most ${limit} calls per ${seconds(windowSeconds)}.`];
}

function seconds(amount: number): string {
  if (amount >= 3600 && amount % 3600 === 0) return `${amount / 3600} h`;
  return amount >= 60 && amount % 60 === 0 ? `${amount / 60} min` : `${amount} s`;
}

function texts(...given: readonly (string | undefined)[]): readonly string[] {
  return given.filter((text) => text !== undefined);
}

function textsOf(counted: readonly Counted[]): readonly string[] {
  return counted.map(({ text }) => text);
}
