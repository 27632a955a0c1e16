import {
  ACCESS_LEVELS,
  type Access,
  type JsonObject,
  type JsonSchema,
  type SafetyProfile,
} from '../../operations/index.ts';
import { propertySchema } from '../../operations/invocation/argument-schema.ts';
import { deletes, FETCHING, namesDeletion, READING, words } from '../operation-words.ts';
import { namedWords, saidName } from './said-name.ts';

/** What an operation's access is derived from. */
export interface AccessFacts {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
  readonly node: JsonObject;
  /** Of its arguments, with what they refer to. */
  readonly input?: JsonSchema;
}

/** What a text begins with that says that the operation deletes, and not that it asks for that. */
const TELLS_DELETION =
  /^\s*(?:permanently )?(?:delete|destroy|erase|wipe)s?\b(?! (?:jobs?|requests?|tasks?)\b)/i;
/** The same of words that alone may take one thing out of another: with all or every of them nothing is left. */
const TELLS_DELETION_OF_ALL = /^\s*(?:clear|drop|empt(?:y|ies)|purge|remove|truncate)s? (?:all|every)\b/i;
/** What a text begins with that says that the operation only looks. */
const TELLS_FETCHING =
  /^\s*(?:checks?|describes?|fetch(?:es)?|finds?|gets?|lists?|reads?|retrieves?|returns?|shows?)\b/i;
const WRITING = new Set(
  `activate add approve archive assign build cancel change clear clone close copy create disable edit enable execute
  export generate grant import insert invite invoke kill link lock mark merge modify move patch post publish push put
  rebuild record refresh register reindex release rename replace reset restart restore resume revoke rotate run save
  schedule send set share start stop store submit subscribe suspend sync transfer trigger undo unlink unlock unpublish
  unsubscribe update upload upsert write`.split(/\s+/),
);
/** What makes even a GET a write, unless another word says that it fetches (`invite_resolve`, `updates_list`). */
const CHANGING = new Set(
  `activate add append approve cancel clone copy create deactivate disable enable execute insert kill move publish
  rebuild refresh reindex reject rename replace reset restart restore revoke save send set start stop submit suspend
  trigger unlink unlock unpublish unsubscribe update upsert`.split(/\s+/),
);
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'PUT', 'DELETE', 'TRACE']);
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);

/** Requests within the request of OData: what they do nobody sees, and they may delete. */
const BATCH = /\/\$batch$/;

/**
 * Access by method, corrected by what the operation calls itself: a GET that deletes deletes, a POST that only
 * searches reads. `x-toolcrib-access` wins. When in doubt, the more harmful level.
 */
export function accessOf(facts: AccessFacts): Access {
  const stated = facts.node['x-toolcrib-access'];
  if (ACCESS_LEVELS.includes(stated as Access)) return stated as Access;
  const { method } = facts;
  if (method === 'TRACE' || method === 'CONNECT') return 'dangerous';
  const said = saidName(facts.operationId ?? '', method, facts.path);
  const verb = said[0] ?? '';
  const steps = stepsOf(facts.path);
  const last = lastStep(steps);
  if (method === 'DELETE' || deletes(verb)) return 'delete';
  if (method === 'POST' && BATCH.test(facts.path)) return 'delete';
  if (verb !== 'preview' && deletes(actionOf(lastFixedStep(steps)))) return 'delete';
  if (method === 'GET' && saysNothing(said) && deletesByPath(facts)) return 'delete';
  if (SAFE.has(method)) return ofCommands(facts) ?? (changes(facts, said, last) ? 'write' : 'read');
  if (method === 'PATCH') return 'write';
  const named = namedWords(facts.operationId ?? '');
  if (namesDeletion(named[0] === method.toLowerCase() ? named.slice(1) : named, words(last))) return 'delete';
  const told = textOf(facts.node, 'summary') || textOf(facts.node, 'description');
  if (TELLS_DELETION.test(told) || TELLS_DELETION_OF_ALL.test(told)) return 'delete';
  if (method !== 'POST') return 'write';
  return readsOnly(facts, named, last) ? 'read' : 'write';
}

/** With such a noun the word before it is none that acts: `start-date`, `add-ons`, `restore-jobs`; `start-job` does. */
const NOT_ACTED_ON =
  /^(?:dates?|history|jobs|logs|ons?|points?|policies|preview|protection|requests|tasks|times?|types?)$/;

/** The session of whoever calls ends with it, whatever its name is. */
const SIGNING_OUT = /^(?:log|sign)[-_]?out$/i;

/** One of whose values is what to do: `cmd` of Netdata's GET /manage/health may be `DISABLE ALL`. */
const COMMANDS = ['cmd', 'command'];

/** What the most harmful of the commands does that an argument may hold. */
function ofCommands({ input }: AccessFacts): Access | undefined {
  const values = COMMANDS.flatMap((name) => input && propertySchema(input, name)?.['enum']);
  const verbs = values.map((value) => (typeof value === 'string' ? (words(value)[0] ?? '') : ''));
  if (verbs.some(deletes)) return 'delete';
  return verbs.some((verb) => CHANGING.has(verb)) ? 'write' : undefined;
}

/** What is said in the words of somebody who wants it done: `Execute a function`, not `Update history`. */
const TELLS_TO = /^\s*([a-z]+) (?:an?|all|the) /i;

function tellsToChange(text: string): boolean {
  return CHANGING.has(TELLS_TO.exec(text)?.[1]?.toLowerCase() ?? '');
}

/**
 * Without a name that says anything its text and its path tell: the shortcuts of Sails create by `GET /pets/create` and update by
 * `GET /pets/update/{id}`; routes that a program's author named by hand send by `GET /send-mail`.
 */
function changes({ method, path, node }: AccessFacts, said: readonly string[], last: string): boolean {
  if (method === 'GET' && SIGNING_OUT.test(last)) return true;
  if (CHANGING.has(said[0] ?? '')) return !said.some((word) => FETCHING.has(word));
  if (!saysNothing(said)) return false;
  if (method !== 'GET') return false;
  const text = textOf(node, 'summary') || textOf(node, 'description');
  if (tellsToChange(text)) return true;
  const [first = '', ...rest] = words(lastFixedStep(stepsOf(path)));
  if (!CHANGING.has(first) || rest.some((word) => NOT_ACTED_ON.test(word) || FETCHING.has(word)))
    return false;
  return !TELLS_FETCHING.test(text);
}

/** Neither that it looks nor that it changes something: no name, or one of what it is about (`mail.send`, `shop_api_send_mail`). */
function saysNothing(said: readonly string[]): boolean {
  if (CHANGING.has(said[0] ?? '')) return false;
  return !said.some((word) => FETCHING.has(word) || READING.has(word) || word === 'preview');
}

/** What a deletion has, and that a GET may well look at. */
const OF_DELETION = /^(?:history|jobs?|logs?|markers?|policy|policies|preview|protection|requests?|tasks?)$/;

/** Without a name, a step of its path may tell: a link of a mail leads to `/delete-user/callback`. */
function deletesByPath({ path, node }: AccessFacts): boolean {
  if (TELLS_FETCHING.test(textOf(node, 'summary') || textOf(node, 'description'))) return false;
  return path
    .split(/[?#]/, 1)[0]!
    .split('/')
    .some((step) => {
      const [verb = '', ...rest] = words(step);
      if (!deletes(verb) || rest.length === 0 || step.startsWith('{')) return false;
      return !rest.some((word) => OF_DELETION.test(word) || FETCHING.has(word));
    });
}

/** A GET that writes is what its method promises not to be: nothing says that a second one changes nothing. */
export function safetyOf(method: string, access: Access): SafetyProfile {
  return {
    network: true,
    file: false,
    destructive: access === 'delete' || access === 'dangerous',
    idempotent: IDEMPOTENT.has(method) && !(SAFE.has(method) && access === 'write'),
    openWorld: true,
  };
}

/** One query in them may write. */
const WRITING_LANGUAGE = /graphql|cypher/i;
/** A schema with a member that takes a statement of one: `sql` of Cloudflare's D1, whose other words say nothing of it. */
const TAKES_STATEMENT =
  /"\w*(?:sql|cypher)(?:_?(?:code|query|statement|text))?":|\bsql (?:code|commands?|quer(?:y|ies)|statements?)\b/i;

/** A POST whose name or path says search, and nothing that changes anything, and no language that writes as well. */
function readsOnly(
  { operationId, path, node, input }: AccessFacts,
  said: readonly string[],
  last: string,
): boolean {
  const bySearch = READING.has(said[0] ?? '') || /^(?:.*[:_])?(?:search|query|lookup)$/i.test(last);
  if (!bySearch) return false;
  if ([...said, ...words(last)].some((word) => WRITING.has(word) || deletes(word))) return false;
  const texts = `${textOf(node, 'summary')} ${textOf(node, 'description')}`;
  const named = [...said, ...words(path), ...words(texts)];
  if (named.includes('sql') || WRITING_LANGUAGE.test(`${operationId} ${path} ${texts}`)) return false;
  return !TAKES_STATEMENT.test(JSON.stringify(input ?? {}));
}

/** Documents hold anything where a text belongs. */
function textOf(node: JsonObject, key: string): string {
  const value = node[key];
  return typeof value === 'string' ? value : '';
}

/** `delete` of `chat.delete` and `{name}:delete`, lower case. */
function actionOf(last: string): string {
  return last.slice(Math.max(last.lastIndexOf('.'), last.lastIndexOf(':')) + 1).toLowerCase();
}

function stepsOf(path: string): readonly string[] {
  const end = path.search(/[?#]/);
  return (end < 0 ? path : path.slice(0, end)).split('/').filter((step) => step !== '');
}

/** The last segment, unless it is a placeholder. */
function lastStep(steps: readonly string[]): string {
  const last = steps.at(-1) ?? '';
  return isPlaceholder(last) ? '' : last;
}

/** The last segment before placeholders: `delete` of `/files/delete/{id}`. */
function lastFixedStep(steps: readonly string[]): string {
  return steps.findLast((step) => !isPlaceholder(step)) ?? '';
}

function isPlaceholder(step: string): boolean {
  return step.startsWith('{') && step.endsWith('}');
}
