import { z } from 'zod';
import type { JsonObject } from '../../operations/index.ts';
import { dropSafeIntegerBounds } from '../../sources/function/json-schemas.ts';
import { VERSION } from '../../version.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes/index.ts';

/** The OpenAPI 3.1 description of our own API, made from the routes themselves. */
export function describeApi(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of ROUTES) {
    paths[route.path] ??= {};
    paths[route.path]![route.method] = operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Toolcrib',
      version: VERSION,
      description: 'Tools, calls, events and the catalog of a running Toolcrib gateway.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, a sign-in token, or the token the server was started with.',
        },
      },
      schemas: { Error: ERROR_SCHEMA },
    },
  };
}

const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'next'],
      properties: {
        code: { type: 'string', description: 'Stable code of the error registry.' },
        message: { type: 'string', description: 'What happened and where.' },
        next: { type: 'string', description: 'What the caller can do next.' },
        pointer: { type: 'string', description: 'JSON Pointer to the member at fault.' },
      },
    },
  },
};

function operationOf(route: Route): JsonObject {
  const parameters = [...parametersIn('path', route.params), ...parametersIn('query', route.query)];
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    'x-toolcrib-access': route.access,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !acceptsNothing(route.body),
            content: {
              'application/json': { schema: schemaOf(route.body, 'input') },
              ...(route.form === undefined
                ? {}
                : { 'multipart/form-data': { schema: schemaOf(route.form, 'input') } }),
            },
          },
        }),
    responses: {
      [route.response.status ?? 200]: answerOf(route.response),
      ...(route.otherResponse === undefined
        ? {}
        : { [route.otherResponse.status]: answerOf(route.otherResponse) }),
      default: {
        description: 'The request failed.',
        content: {
          'application/json': {
            schema:
              route.failure === undefined
                ? { $ref: '#/components/schemas/Error' }
                : schemaOf(route.failure, 'output'),
          },
        },
      },
    },
  };
}

function answerOf({
  status,
  description,
  mediaType,
  schema,
}: Route['response'] | (NonNullable<Route['otherResponse']> & { mediaType?: never })): JsonObject {
  if (status === 204) return { description };
  const content = { schema: schema === undefined ? {} : schemaOf(schema, 'output') };
  return { description, content: { [mediaType ?? 'application/json']: content } };
}

function parametersIn(place: 'path' | 'query', type: z.ZodType | undefined): JsonObject[] {
  if (type === undefined) return [];
  const { properties, required } = schemaOf(type, place === 'path' ? 'input' : 'output');
  return Object.entries((properties ?? {}) as Record<string, JsonObject>).map(([name, property]) => {
    const { description, default: _default, ...schema } = property;
    const needed =
      place === 'path' || (Array.isArray(required) && required.includes(name) && !('default' in property));
    return {
      name,
      in: place,
      required: needed,
      ...(description === undefined ? {} : { description }),
      schema: 'default' in property ? { ...schema, default: property['default']! } : schema,
    };
  });
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => dropSafeIntegerBounds(jsonSchema as JsonObject),
  }) as JsonObject;
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

function acceptsNothing(type: z.ZodType): boolean {
  return type.safeParse(undefined).success;
}
