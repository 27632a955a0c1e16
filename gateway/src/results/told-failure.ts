import {
  type CompletedResult,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
} from '../operations/index.ts';
import { targetOf } from '../operations/target.ts';
import { firstFew } from '../operations/text/first-few.ts';
import { printable } from '../operations/text/printable.ts';
import { explainMembers, explainProblem, isSentence } from './problem-text.ts';

const MAX_REASON_LENGTH = 2000;
const MAX_ROWS = 3;

// names of members are compared in lower case, without `_` and `-`
const FLAGS: ReadonlySet<string> = new Set(['ok', 'success', 'successful', 'succeeded', 'issuccess']);
const STATES: ReadonlySet<string> = new Set(['status', 'stat', 'state', 'result']);
const FAULTS: ReadonlySet<string> = new Set(['error', 'errordetail', 'haserror', 'haserrors', 'iserror']);
/** What may stand beside them, and is no part of what was made or changed. */
const BESIDE: ReadonlySet<string> = new Set([
  ...['code', 'codes', 'statuscode', 'errors', 'extensions', 'needed', 'provided', 'warning'],
  ...['warnings', 'path', 'timestamp', 'time', 'requestid', 'traceid', 'responsemetadata', 'jsonrpc'],
  ...['documentationurl', 'instance', 'type', 'logid', 'hints'],
]);
/** Numbers that are 0 where nothing went wrong: WeChat, DingTalk and Baidu say no more than one of these and why. */
const NUMBERS: ReadonlySet<string> = new Set(['errcode', 'errorcode', 'errno']);

const FAILED = /^(?:error|fail(?:ed|ure)?)$/i;
const DONE = /^(?:ok|success(?:ful)?|succeeded|done|completed?|accepted|created)$/i;
/** Said in `error` where there is none. */
const NO_FAULT = /^(?:0|no|none|null|false|ok|success)$/i;

/**
 * Why a write was not done, by the answer of a service that says so beside a status of 2xx: Slack's `{ "ok": false,
 * "error": "channel_not_found" }`, Zoho's rows of `"status": "error"`, the last line of a build at Docker, GraphQL's
 * `errors` without data, JSend's `"status": "fail"`, CouchDB's rows of documents that were not written. Only where the
 * answer says nothing else: what was made may have a member `error`, too. Undefined of everything else.
 */
export function toldFailure(answer: Json): string | undefined {
  if (Array.isArray(answer)) return ofRows(answer);
  if (!isObject(answer)) return undefined;
  const { data, ...others } = answer;
  return Array.isArray(data) && Object.keys(others).length === 0 ? ofRows(data) : ofEnvelope(answer);
}

/** The reasons of all rows; one that was done makes it an answer. */
function ofRows(rows: readonly Json[]): string | undefined {
  const reasons = rows.map((row) => {
    if (!isObject(row)) return undefined;
    const { id: _id, rev: _rev, ...why } = row;
    return ofEnvelope(isUnwritten(row) ? why : row);
  });
  const told = reasons.filter((reason) => reason !== undefined);
  if (rows.length === 0 || told.length < rows.length) return undefined;
  return firstFew([...new Set(told)], MAX_ROWS, '; ');
}

/**
 * A document that was not written, by its id, the code of an error and a reason: CouchDB answers 201 with a row for each.
 * https://docs.couchdb.org/en/stable/api/database/bulk-api.html#inserting-documents-in-bulk
 */
function isUnwritten({ id, rev = '', error, reason, ...others }: JsonObject): boolean {
  const isText = [id, rev, reason].every((value) => typeof value === 'string');
  return isText && typeof error === 'string' && /^[a-z_]+$/.test(error) && Object.keys(others).length === 0;
}

function ofEnvelope(body: JsonObject): string | undefined {
  const members = Object.entries(body)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => ({ name, word: name.replace(/[_-]/g, '').toLowerCase(), value }));
  const isEnvelope = members.every(({ name, word }) => WORDS.has(word) || isSentence(name));
  const isFailure = isEnvelope ? !members.some(saysDone) && saysFailed(members) : isJsend(body);
  if (!isFailure) return undefined;
  const { status: _status, ...rest } = body;
  const { data } = rest;
  const reason = explainProblem(rest) ?? (isObject(data) ? explainMembers(data) : undefined);
  return printable(reason ?? JSON.stringify(body), MAX_REASON_LENGTH);
}

/**
 * JSend, and `wp_send_json_error()` of WordPress, which has a flag for the state: why it failed is in `data`.
 * https://github.com/omniti-labs/jsend
 */
function isJsend({ status, success, data, message: _message, code: _code, ...others }: JsonObject): boolean {
  const isSaid =
    success === undefined
      ? status === 'fail' || status === 'error'
      : success === false && status === undefined;
  return isSaid && data !== undefined && !isEmpty(data) && Object.keys(others).length === 0;
}

const WORDS: ReadonlySet<string> = new Set([...FLAGS, ...STATES, ...FAULTS, ...NUMBERS, ...BESIDE]);

interface Member {
  readonly name: string;
  readonly word: string;
  readonly value: Json;
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function saysDone({ word, value }: Member): boolean {
  return (FLAGS.has(word) && value === true) || (STATES.has(word) && DONE.test(String(value)));
}

function saysFailed(members: readonly Member[]): boolean {
  if (members.some(isFault) || isNumbered(members)) return true;
  const isSaid = members.some(({ word, value }) =>
    FLAGS.has(word) ? value === false : STATES.has(word) && FAILED.test(String(value)),
  );
  const others = members.filter(({ word }) => !FLAGS.has(word) && !STATES.has(word));
  if (isSaid) return others.length > 0;
  // beside a sentence they may be of some of the rows only
  return (
    others.length > 0 &&
    others.every(({ word, value }) => (word === 'errors' ? Array.isArray(value) : word === 'extensions'))
  );
}

function isFault({ word, value }: Member): boolean {
  if (!FAULTS.has(word)) return false;
  if (typeof value === 'string') return !NO_FAULT.test(value);
  return value === true || (typeof value === 'object' && word !== 'haserrors');
}

function isNumbered(members: readonly Member[]): boolean {
  const numbers = members.filter(({ word }) => NUMBERS.has(word));
  const hasReason = members.some(({ name, value }) => isSentence(name) && typeof value === 'string');
  return hasReason && numbers.some(({ value }) => typeof value === 'number' && value !== 0);
}

/**
 * The answer of a write that says it was not done is an error, with all that came. Where answers are held to a schema
 * that is what judges them.
 */
export function withToldFailure(
  result: CompletedResult,
  answer: Json,
  operation: Operation,
  status: string,
): CompletedResult {
  const { access, strictOutput = false } = operation;
  if (access === 'read' || strictOutput || result.error !== undefined) return result;
  const reason = toldFailure(answer);
  if (reason === undefined) return result;
  const message = `${targetOf(operation)} answered ${status}, and says that it failed: ${reason.replace(/[.]$/, '')}.`;
  return {
    ...result,
    content: [{ type: 'text', text: `upstream_status: ${message}\n${NEXT}` }, ...result.content],
    error: {
      code: 'upstream_status',
      message,
      next: NEXT,
      ...(result.status === undefined ? {} : { status: result.status }),
    },
  };
}

const NEXT =
  'Correct what the service names; where a part may have been done, check that before you call again.';
