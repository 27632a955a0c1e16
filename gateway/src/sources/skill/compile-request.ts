import { isBeyondArguments } from '../../operations/http/caller-headers.ts';
import { OF_CONNECTION } from '../../operations/http/connection-headers.ts';
import { isObject, type Json, type JsonSchema, type TemplateInvocation } from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import { CONTEXT_NAMES, checkTemplate, parseTemplate, templateNames } from '../../templates/index.ts';
import { refuse } from './compile-script.ts';
import { InvalidTool, type ManifestPath, type Member, type Note } from './tool-members.ts';

const CODE = 'skill-tool-executor';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
/** No machine's path goes into a request. */
const CONTEXT = CONTEXT_NAMES.filter((name) => name !== 'skill_dir');
const MOST_HEADERS = 100;

type RequestParts = Pick<TemplateInvocation, 'method' | 'url' | 'headers' | 'body'>;

export interface RequestMembers {
  readonly method: Member | undefined;
  readonly url: Member | undefined;
  readonly headers: Member | undefined;
  readonly body: Member | undefined;
  /** Where the executor stands. */
  readonly path: ManifestPath;
}

/** A request with its templates, checked. Throws InvalidTool. */
export function compileRequest(members: RequestMembers, input: JsonSchema, note: Note): RequestParts {
  const scope = { args: input, context: CONTEXT, secrets: false };
  const method = methodOf(members.method);
  const url = urlOf(members, (value) => refuse(checkTemplate(value, scope), members.url!));
  const headers = headersOf(members.headers);
  if (members.headers !== undefined)
    refuse(checkTemplate({ ...headers }, { ...scope, secrets: true }), members.headers);
  const { body } = members;
  if (body === undefined) return { method, url, headers };
  refuse(checkTemplate(body.value, scope), body);
  if (method === 'GET' || method === 'HEAD') {
    note('skill-tool-body', `A ${method} has no body: it is left out.`, body.path, 'warning');
    return { method, url, headers };
  }
  const problem = jsonTextProblem(body.value);
  if (problem !== undefined) throw new InvalidTool(CODE, problem, body.path);
  return { method, url, headers, body: body.value };
}

function methodOf(member: Member | undefined): string {
  if (member === undefined) return 'POST';
  const method = typeof member.value === 'string' ? member.value.trim().toUpperCase() : '';
  if (METHODS.includes(method)) return method;
  throw new InvalidTool(CODE, `method is one of ${METHODS.join(', ')}.`, member.path);
}

/** Scheme, host and port are the author's own text: nobody else says where a request goes. */
function urlOf({ url, path }: RequestMembers, check: (url: string) => void): string {
  if (url === undefined || typeof url.value !== 'string' || url.value.trim() === '')
    throw new InvalidTool(CODE, 'An http executor has a url.', url?.path ?? path);
  const text = url.value.trim();
  check(text);
  const fault = (message: string) => new InvalidTool(CODE, message, url.path);
  const written = parseTemplate(text).parts.map((part) => (typeof part === 'string' ? part : '\u0001'));
  const skeleton = written.join('');
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(skeleton) ?? [];
  if (authority === '') throw fault('url begins with http:// or https:// and a host.');
  if (authority.includes('\u0001'))
    throw fault('url has a template in its host: where a request goes is the author’s to say.');
  if (authority.includes('@')) throw fault('url holds a user name: credentials go into headers_template.');
  // WHATWG URLs drop or turn these, so that the address read is not the one checked
  if (/[\s\\\0\u0002-\u001f\u007f]/.test(skeleton)) throw fault('url holds white space or backslashes.');
  if (!URL.canParse(skeleton.replaceAll('\u0001', 'x'))) throw fault('url is no address.');
  return text;
}

function headersOf(member: Member | undefined): Record<string, string> {
  if (member === undefined) return {};
  const { value, path } = member;
  if (!isObject(value)) throw new InvalidTool(CODE, 'headers_template maps names to texts.', path);
  const entries = Object.entries(value);
  if (entries.length > MOST_HEADERS)
    throw new InvalidTool(CODE, `headers_template has more than ${MOST_HEADERS} headers.`, path);
  const seen = new Set<string>();
  return Object.fromEntries(
    entries.map(([name, given]) => {
      const lower = name.toLowerCase();
      const fault = (message: string) => new InvalidTool(CODE, message, [...path, name]);
      if (!TOKEN.test(name)) throw fault(`${JSON.stringify(name.slice(0, 64))} is no name of a header.`);
      if (OF_CONNECTION.has(lower)) throw fault(`The header ${name} belongs to the connection.`);
      if (seen.has(lower)) throw fault(`The header ${name} is written twice.`);
      seen.add(lower);
      const text = scalarText(given);
      if (text === undefined || /[^\t\x20-\x7e\x80-\xff]/.test(text))
        throw fault(`The header ${name} is one line of text.`);
      if (isBeyondArguments(lower) && templateNames(text).some(({ namespace }) => namespace !== 'secrets'))
        throw fault(`The header ${name} may hold no value of a call: text and secrets only.`);
      return [name, text];
    }),
  );
}

/** A body that is JSON as text is read before values are put in, so that none can break out of it. */
function jsonTextProblem(body: Json): string | undefined {
  if (typeof body !== 'string' || !/^\s*(?:\[|\{(?!\{))/.test(body) || templateNames(body).length === 0)
    return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch {
    return 'body_template is no JSON before values are put in: quote its templates, or write it as a mapping.';
  }
}
