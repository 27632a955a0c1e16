import { hashKey } from '@tanstack/react-query';
import type { Json, JsonObject } from '../../../../gateway/src/operations/index.ts';
import { lineOf } from './command-words.ts';
import { CREDENTIALS, SOURCE_FORMS, type SourceForm, type Values } from './source-forms.ts';

/** The usual settings of a source that is there, as the form of its kind asks for them. */
export interface ChangeForm {
  /** With the fields alone that can say what the entry has. */
  readonly form: SourceForm;
  readonly values: Values;
  /** The entry with these values: what is not asked for stays as it is. */
  readonly entry: (values: Values) => JsonObject;
}

/** One member of an entry, and the fields that say it; undefined where they cannot. */
interface Part {
  readonly key: string;
  readonly fields: readonly string[];
  readonly read: (member: Json | undefined) => Values | undefined;
}

/** Undefined where no form asks for anything that this entry has. */
export function changeForm(entry: JsonObject): ChangeForm | undefined {
  const form = SOURCE_FORMS.find(({ kind }) => kind === formKind(entry));
  if (form === undefined) return undefined;
  const parts = (PARTS[form.kind] ?? []).flatMap((part) => {
    const values = part.read(entry[part.key]);
    return values === undefined || !says(form, values, entry, part.key) ? [] : [{ ...part, values }];
  });
  if (parts.length === 0) return undefined;
  const fields = new Set(parts.flatMap((part) => part.fields));
  const keys = new Set(parts.map(({ key }) => key));
  const { credential: _asked, ...plain } = form;
  return {
    form: {
      ...plain,
      fields: form.fields.filter(({ name }) => fields.has(name)),
      ...(keys.has('credentials') ? { credential: true } : {}),
    },
    values: Object.assign({}, ...parts.map(({ values }) => values)),
    entry(values) {
      const made = Object.entries(form.entry(values)).filter(([key]) => keys.has(key));
      const before = Object.entries(entry).filter(
        ([key]) => !keys.has(key) || made.some(([own]) => own === key),
      );
      // a member keeps its place
      return Object.fromEntries([...before, ...made]) as JsonObject;
    },
  };
}

function says(form: SourceForm, values: Values, entry: JsonObject, key: string): boolean {
  return hashKey([form.entry(values)[key] ?? null]) === hashKey([entry[key] ?? null]);
}

function formKind(entry: JsonObject): string | undefined {
  const { mcp } = entry;
  if (mcp !== undefined) return isObject(mcp) && mcp['url'] !== undefined ? 'mcp-url' : 'mcp-command';
  return SOURCE_FORMS.find(({ kind }) => entry[kind] !== undefined)?.kind;
}

const CREDENTIAL_PART: Part = {
  key: 'credentials',
  fields: ['credential', ...Object.values(CREDENTIALS).flatMap((fields) => fields.map(({ name }) => name))],
  read(member) {
    if (member === undefined) return {};
    const [[kind = '', settings] = []] = Object.entries(asObject(member));
    const named = kind === 'basic' ? asObject(settings) : { [kind]: settings };
    const variables = Object.entries(named).map(([name, reference]) => [name, asObject(reference)['env']]);
    return textsOf({ credential: kind, ...Object.fromEntries(variables) });
  },
};

function textPart(key: string, field = key): Part {
  return {
    key,
    fields: [field],
    read: (member) => (member === undefined ? {} : textsOf({ [field]: member })),
  };
}

/** The parts of each kind; what a form makes of them is compared with the entry before they count. */
const PARTS: Readonly<Record<string, readonly Part[]>> = {
  openapi: [textPart('openapi', 'document'), textPart('baseUrl'), CREDENTIAL_PART],
  'mcp-command': [
    {
      key: 'mcp',
      fields: ['command', 'env'],
      read(member) {
        const { command, args, env } = asObject(member);
        const line = lineOf([command, ...(Array.isArray(args) ? args : [])]);
        return line === undefined ? undefined : { command: line, env: Object.keys(asObject(env)).join(' ') };
      },
    },
  ],
  'mcp-url': [
    {
      key: 'mcp',
      fields: ['url', 'authorization'],
      read(member) {
        const { url, headers } = asObject(member);
        const { env } = asObject(asObject(headers)['Authorization']);
        return textsOf({ url, ...(env === undefined ? {} : { authorization: env }) });
      },
    },
  ],
  manifest: [
    {
      key: 'manifest',
      fields: ['provider', 'file'],
      // what comes along has a plain name
      read: (member) =>
        textsOf(/[./\\]/.test(String(member)) ? { file: member } : { provider: member, file: '' }),
    },
    textPart('region'),
    CREDENTIAL_PART,
  ],
  n8n: [
    {
      key: 'n8n',
      fields: ['url', 'apiKey'],
      read(member) {
        const { url, apiKey } = asObject(member);
        return textsOf({ url, apiKey: asObject(apiKey)['env'] });
      },
    },
  ],
  azure: [
    {
      key: 'azure',
      fields: ['subscription', 'resourceGroup', 'authentication'],
      read: (member) => textsOf({ authentication: 'interactive', ...asObject(member) }),
    },
  ],
  skills: [textPart('skills', 'folder')],
  package: [textPart('package', 'folder')],
  web: [
    {
      key: 'web',
      fields: ['search', 'scrape'],
      read: (member) => textsOf({ search: 'nothing', scrape: 'nothing', ...asObject(member) }),
    },
  ],
};

/** Undefined where one of them is no text. */
function textsOf(members: Readonly<Record<string, Json | undefined>>): Values | undefined {
  const entries = Object.entries(members);
  return entries.every(([, value]) => typeof value === 'string')
    ? (Object.fromEntries(entries) as Values)
    : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
