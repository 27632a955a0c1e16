import { ARM_TOOLS, type ArmTool, type JsonSchema, type Operation } from '../../operations/index.ts';

type Said = Pick<Operation, 'title' | 'description' | 'access'> &
  Partial<Pick<Operation, 'confirmation'>> & {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly idempotent: boolean;
  };

const CONNECTION_NAME: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 80,
  description: 'Name of the connection in the resource group.',
};

/** Passwords and keys are among them: nothing shows them again. */
const PARAMETER_VALUES: JsonSchema = {
  type: 'object',
  additionalProperties: true,
  writeOnly: true,
  description:
    'Values of the connection parameters, such as API keys; list_managed_apis with `name` shows which.',
};

const SAID: Readonly<Record<ArmTool, Said>> = {
  list_managed_apis: {
    title: 'List managed APIs',
    description:
      'List the managed APIs (connectors) that a connection can be made for. Search by words, or give a name for one API with its connection parameters.',
    access: 'read',
    idempotent: true,
    properties: {
      search: { type: 'string', maxLength: 200, description: 'Words of the name, title or description.' },
      name: { type: 'string', maxLength: 200, description: 'Name of one API, e.g. office365.' },
      location: { type: 'string', maxLength: 60, description: 'Azure region; default: the configured one.' },
      limit: { type: 'integer', minimum: 1, maximum: 500, default: 50, description: 'APIs at most.' },
    },
  },
  list_connections: {
    title: 'List connections',
    description: 'List the API connections of the resource group with their status.',
    access: 'read',
    idempotent: true,
  },
  get_connection: {
    title: 'Get a connection',
    description: 'Show one API connection: its API, its status and whose account it is.',
    access: 'read',
    idempotent: true,
    confirmation: 'It shows whose account a connection uses.',
    properties: { connectionName: CONNECTION_NAME },
    required: ['connectionName'],
  },
  put_connection: {
    title: 'Create or update a connection',
    description:
      'Create or update an API connection in the resource group. Give `apiName`, or `connectionName` and the whole resource as `body`. The tools of its API are there afterwards.',
    access: 'write',
    idempotent: true,
    properties: {
      apiName: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description: 'Name of the managed API, e.g. office365.',
      },
      connectionName: {
        ...CONNECTION_NAME,
        description: 'Name of the connection; default: the name of the API.',
      },
      displayName: { type: 'string', maxLength: 200, description: 'What people see.' },
      parameterValues: PARAMETER_VALUES,
      location: { type: 'string', maxLength: 60, description: 'Azure region; default: the configured one.' },
      body: {
        type: 'object',
        additionalProperties: true,
        writeOnly: true,
        description:
          'The resource as Azure takes it: {location, properties: {displayName, api: {id}, parameterValues}}.',
      },
    },
  },
  delete_connection: {
    title: 'Delete a connection',
    description: 'Delete an API connection of the resource group; its tools go with it.',
    access: 'delete',
    idempotent: true,
    properties: { connectionName: CONNECTION_NAME },
    required: ['connectionName'],
  },
  get_consent_link: {
    title: 'Get a consent link',
    description:
      'Get the link by which a person signs a connection in. It is good for about ten minutes; the tools work right after it.',
    access: 'write',
    idempotent: true,
    properties: { connectionName: CONNECTION_NAME },
    required: ['connectionName'],
  },
  get_parameter_options: {
    title: 'Get parameter options',
    description:
      'List the values that arguments of a connector tool accept now, or the schema of an argument that is known at run time only. Give the arguments that are known already: the values may depend on them.',
    access: 'read',
    idempotent: true,
    properties: {
      tool: { type: 'string', minLength: 1, maxLength: 200, description: 'Name of the tool.' },
      parameter: {
        type: 'string',
        maxLength: 500,
        description:
          'Name of the argument, or a JSON Pointer into the arguments; default: all that have options.',
      },
      arguments: {
        type: 'object',
        additionalProperties: true,
        description: 'Arguments of the tool that are known.',
      },
      parent: {
        type: ['string', 'object'],
        description: 'In a tree: the option that is opened, as it was listed.',
      },
    },
    required: ['tool'],
  },
  list_dynamic_tools: {
    title: 'List dynamic tools',
    description: 'List all dynamically registered tools from connected APIs.',
    access: 'read',
    idempotent: true,
  },
  refresh_tools: {
    title: 'Refresh tools',
    description: 'Refresh dynamic tools by re-scanning connections and their schemas.',
    access: 'read',
    idempotent: true,
  },
};

/** The tools that every resource group has, whatever its connections are. */
export function armTools(source: string): Operation[] {
  return ARM_TOOLS.map((tool) => {
    const { title, description, access, confirmation, properties = {}, required, idempotent } = SAID[tool];
    return Object.freeze({
      id: tool,
      source,
      name: tool,
      ...(title === undefined ? {} : { title }),
      description,
      input: {
        type: 'object',
        properties: { ...properties },
        ...(required === undefined ? {} : { required: [...required] }),
        additionalProperties: false,
      },
      access,
      tags: ['connections'],
      safety: {
        network: true,
        file: false,
        destructive: access === 'delete',
        idempotent,
        openWorld: true,
      },
      ...(confirmation === undefined ? {} : { confirmation }),
      invocation: { kind: 'arm' as const, tool },
    });
  });
}
