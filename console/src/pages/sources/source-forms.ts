import type { JsonObject } from '../../../../gateway/src/operations/index.ts';
import { words } from './command-words.ts';

/** What a form holds: every field as text. */
export type Values = Readonly<Record<string, string>>;

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Choices; the first counts where nothing is chosen. */
  readonly choices?: readonly string[];
}

/** How one kind of source is asked for, and the entry of the configuration that comes of it. */
export interface SourceForm {
  readonly kind: string;
  readonly title: string;
  readonly hint: string;
  readonly fields: readonly FormField[];
  /** Asks for a credential, too. */
  readonly credential?: true;
  readonly entry: (values: Values) => JsonObject;
}

/** Fields of every kind of credential: variables of the gateway, never their values. */
export const CREDENTIALS: Readonly<Record<string, readonly FormField[]>> = {
  none: [],
  bearer: [variable('bearer', 'Variable with the token')],
  apiKey: [variable('apiKey', 'Variable with the key')],
  basic: [
    variable('username', 'Variable with the user name'),
    variable('password', 'Variable with the password'),
  ],
};

export const CREDENTIAL_WORDS: Readonly<Record<string, string>> = {
  none: 'None, or as the document says',
  bearer: 'Bearer token',
  apiKey: 'API key',
  basic: 'User name and password',
};

function variable(name: string, label: string): FormField {
  return { name, label, placeholder: 'ACME_TOKEN', required: true };
}

export const SOURCE_FORMS: readonly SourceForm[] = [
  {
    kind: 'openapi',
    title: 'OpenAPI document',
    hint: 'A URL or a file on the machine of the gateway; or drop a file on this page.',
    fields: [
      {
        name: 'document',
        label: 'Document',
        placeholder: 'https://api.example.com/openapi.json',
        required: true,
      },
      {
        name: 'baseUrl',
        label: 'Base URL',
        hint: 'Only where calls should go elsewhere than the document says.',
        placeholder: 'https://api.example.com/v1',
      },
    ],
    credential: true,
    entry: (values) => ({
      openapi: values['document'] ?? '',
      ...given('baseUrl', values),
      ...credentialsOf(values),
    }),
  },
  {
    kind: 'mcp-command',
    title: 'MCP server: a program',
    hint: 'Runs on the machine of the gateway, with the rights of the gateway.',
    fields: [
      {
        name: 'command',
        label: 'Command',
        placeholder: 'npx -y @modelcontextprotocol/server-everything',
        required: true,
      },
      {
        name: 'env',
        label: 'Variables that it gets',
        hint: 'Names, separated by spaces; their values come from the gateway.',
        placeholder: 'GITHUB_TOKEN',
      },
    ],
    entry: (values) => {
      const [command = '', ...args] = words(values['command'] ?? '');
      const names = (values['env'] ?? '').split(/[\s,]+/).filter(Boolean);
      return {
        mcp: {
          command,
          ...(args.length === 0 ? {} : { args }),
          ...(names.length === 0
            ? {}
            : { env: Object.fromEntries(names.map((name) => [name, { env: name }])) }),
        },
      };
    },
  },
  {
    kind: 'mcp-url',
    title: 'MCP server: an address',
    hint: 'A server that is asked for a sign-in says so in the check.',
    fields: [
      { name: 'url', label: 'Address', placeholder: 'https://mcp.example.com/mcp', required: true },
      {
        name: 'authorization',
        label: 'Variable with the Authorization header',
        hint: 'With its scheme, as in “Bearer …”. Empty: none, or OAuth where the server asks for it.',
        placeholder: 'EXAMPLE_AUTHORIZATION',
      },
    ],
    entry: (values) => ({
      mcp: {
        url: values['url'] ?? '',
        ...(values['authorization'] ? { headers: { Authorization: { env: values['authorization'] } } } : {}),
      },
    }),
  },
  {
    kind: 'manifest',
    title: 'Provider',
    hint: 'A provider whose manifest comes with Toolcrib, or a manifest file of your own.',
    fields: [
      { name: 'provider', label: 'Provider', choices: [] },
      { name: 'file', label: 'Manifest file of your own', placeholder: './deskly.yaml' },
      { name: 'region', label: 'Region', hint: 'Where the provider has several.', placeholder: 'eu' },
    ],
    credential: true,
    entry: (values) => ({
      manifest: values['file'] || (values['provider'] ?? ''),
      ...given('region', values),
      ...credentialsOf(values),
    }),
  },
  {
    kind: 'n8n',
    title: 'n8n',
    hint: 'Workflows that begin with a webhook become tools.',
    fields: [
      { name: 'url', label: 'Address of n8n', placeholder: 'https://n8n.example.com', required: true },
      variable('apiKey', 'Variable with the API key'),
    ],
    entry: (values) => ({ n8n: { url: values['url'] ?? '', apiKey: { env: values['apiKey'] ?? '' } } }),
  },
  {
    kind: 'azure',
    title: 'Azure API connections',
    hint: 'The connections of one resource group become tools.',
    fields: [
      { name: 'subscription', label: 'Subscription', required: true },
      { name: 'resourceGroup', label: 'Resource group', required: true },
      { name: 'authentication', label: 'Sign-in', choices: ['interactive', 'azcli', 'env'] },
    ],
    entry: (values) => ({
      azure: {
        subscription: values['subscription'] ?? '',
        resourceGroup: values['resourceGroup'] ?? '',
        authentication: values['authentication'] ?? 'interactive',
      },
    }),
  },
  {
    kind: 'skills',
    title: 'Skills',
    hint: 'A folder whose folders hold a SKILL.md each. Imported skills go there.',
    fields: [{ name: 'folder', label: 'Folder', placeholder: './skills', required: true }],
    entry: (values) => ({ skills: values['folder'] ?? '' }),
  },
  {
    kind: 'web',
    title: 'Web',
    hint: 'Search, and reading of pages.',
    fields: [
      { name: 'search', label: 'Search with', choices: ['brave', 'jina', 'nothing'] },
      { name: 'scrape', label: 'Read pages', choices: ['direct', 'jina', 'nothing'] },
    ],
    entry: (values) => {
      const chosen = (name: string, otherwise: string) => values[name] ?? otherwise;
      const entries = [
        ['search', chosen('search', 'brave')],
        ['scrape', chosen('scrape', 'direct')],
      ].filter(([, provider]) => provider !== 'nothing');
      return { web: Object.fromEntries(entries) };
    },
  },
  {
    kind: 'package',
    title: 'Tool package',
    hint: 'A folder with tools as code, which runs in the process of the gateway.',
    fields: [{ name: 'folder', label: 'Folder', placeholder: './tools', required: true }],
    entry: (values) => ({ package: values['folder'] ?? '' }),
  },
];

/** As people type: without the spaces around. */
export function trimmed(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.trim()]));
}

function given(name: string, values: Values): JsonObject {
  const value = values[name];
  return value === undefined || value === '' ? {} : { [name]: value };
}

function credentialsOf(values: Values): JsonObject {
  const env = (name: string) => ({ env: values[name] ?? '' });
  switch (values['credential']) {
    case 'bearer':
      return { credentials: { bearer: env('bearer') } };
    case 'apiKey':
      return { credentials: { apiKey: env('apiKey') } };
    case 'basic':
      return { credentials: { basic: { username: env('username'), password: env('password') } } };
    default:
      return {};
  }
}

/** What a source of this form is called until somebody says otherwise. */
export function suggestedName({ kind }: SourceForm, values: Values): string {
  const [command = '', ...args] = words(values['command'] ?? '');
  const from =
    kind === 'mcp-command'
      ? (args.findLast((arg) => !arg.startsWith('-')) ?? command)
      : (values['document'] ?? values['url'] ?? values['file'] ?? values['provider'] ?? kind);
  const host = URL.canParse(from) ? new URL(from).hostname.split('.').slice(-2)[0] : undefined;
  const base = host ?? from.split(/[\\/]/).findLast((part) => part !== '') ?? kind;
  const clean = base
    .replace(/\.(json|ya?ml|m?[jt]s)$/i, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .slice(0, 32);
  return clean === '' ? 'source' : clean;
}
