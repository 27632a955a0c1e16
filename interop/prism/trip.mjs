import { createRequire } from 'node:module';
import { buildRequest } from '../../gateway/src/executors/http/build-request.ts';
import { DEFAULT_LIMITS } from '../../gateway/src/operations/index.ts';
import { generateArguments } from './generate/arguments.mjs';

const require = createRequire(import.meta.url);
const Ajv = require('ajv/dist/2020.js').default;
const addFormats = require('ajv-formats').default;

const CONNECTION = {
  name: 'document',
  source: 'document',
  baseUrl: 'http://127.0.0.1',
  securitySchemes: {},
  limits: DEFAULT_LIMITS,
};

/**
 * Arguments → the product's request → Prism. `finding` says at which step it ended and why; `excluded` names the class
 * of operations that Prism cannot judge.
 */
export async function trip(operation, prism, securitySchemes) {
  let args;
  try {
    const validate = compile(operation.input);
    args = withoutFormStructures(operation, generateArguments(operation.input, validate), validate);
  } catch (error) {
    return { finding: { step: 'arguments', message: error.message } };
  }
  const excluded = beyondPrism(operation, args);
  if (excluded !== undefined) return { args, excluded };
  let request;
  try {
    request = buildRequest(operation, args, CONNECTION);
  } catch (error) {
    return { args, finding: { step: 'request', message: error.message } };
  }
  try {
    const violations = await prism.validate(
      asReceived(withCredentials(request, securitySchemes), prism.operation),
    );
    if (violations.length === 0) return { args, request };
    const message = violations
      .map(({ message, path }) => `${message} [${(path ?? []).join('.')}]`)
      .join('; ');
    return { args, request, finding: { step: 'prism', message: message.slice(0, 400) } };
  } catch (error) {
    return {
      args,
      request,
      finding: { step: 'prism', message: `Prism failed: ${error.message}`.slice(0, 400) },
    };
  }
}

/** Its own schema of schemas is compiled once: for every operation that would be a third of the whole. */
const ajv = addFormats(new Ajv({ strict: false, logger: false, code: { optimize: false } }));

function compile(schema) {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
}

/** Optional arrays and objects of a form body are left out (see `beyondPrism`), so that its other fields are judged. */
function withoutFormStructures(operation, args, validate) {
  const structured = formFields(operation, args).filter(({ value }) => isStructure(value));
  const plain = structuredClone(args);
  for (const { pointer } of structured) {
    const holder = pointer.slice(0, -1).reduce((node, key) => node[key], plain);
    const key = pointer.at(-1);
    const value = holder[key];
    delete holder[key];
    if (!validate(plain)) holder[key] = value;
  }
  return plain;
}

/** The fields of a urlencoded or multipart body with their places in the arguments. */
function formFields({ invocation }, args) {
  const fields = [];
  for (const binding of invocation.bindings) {
    if (binding.in !== 'body' || binding.arg === undefined || !isForm(binding.contentType)) continue;
    const value = args[binding.arg];
    if (binding.name !== '') fields.push({ pointer: [binding.arg], value });
    else
      for (const [name, part] of Object.entries(Object(value)))
        fields.push({ pointer: [binding.arg, name], value: part });
  }
  return fields;
}

const isForm = (contentType) =>
  /^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(contentType);

const isStructure = (value) => value !== null && typeof value === 'object';

/** Classes that Prism reads wrongly; gateway/test/wire compares their bytes directly. */
function beyondPrism(operation, args) {
  // Prism keeps one of several parts or pairs with the same name and builds no objects from them.
  if (formFields(operation, args).some(({ value }) => isStructure(value)))
    return 'a form body that needs an array or object';
  for (const { in: place, style, arg } of operation.invocation.bindings) {
    const value = arg === undefined ? undefined : args[arg];
    // Prism has no operators for them.
    if (place === 'path' && (style === 'matrix' || style === 'label'))
      return 'a matrix or label path parameter';
    // Prism splits the segment at commas twice and fails.
    if (place === 'path' && Array.isArray(value)) return 'an array in a path segment';
    // OpenAPI defines no way to write one; Prism expects none.
    if (place === 'query' && Array.isArray(value) && value.some(isStructure))
      return 'an array of objects in the query';
  }
  return undefined;
}

/** What the credential provider would add: many documents list their key as a required parameter too. */
function withCredentials(request, securitySchemes) {
  const headers = [...request.headers, ['authorization', 'Bearer token']];
  const url = new URL(request.url);
  for (const { type, in: place, name } of Object.values(securitySchemes)) {
    if (type !== 'apiKey') continue;
    if (place === 'query' && !url.searchParams.has(name))
      url.search += `${url.search === '' ? '?' : '&'}${encodeURIComponent(name)}=key`;
    if (place === 'header' && name.toLowerCase() !== 'authorization') headers.push([name, 'key']);
  }
  return { ...request, url: url.href, headers };
}

/** As Prism's own server hands it over: JSON parsed, everything else as text, the length stated. */
function asReceived(request, { request: described }) {
  if (request.body === undefined) return request;
  const bytes = Buffer.from(request.body);
  const contentType = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isJson = /^[^;]*[/+]json\s*(;|$)/i.test(contentType);
  // Where a document names no media type (`consumes: []`), Prism would refuse every body that states a length.
  const length = described?.body?.contents?.length === 0 ? [] : [['content-length', String(bytes.length)]];
  const headers = [...request.headers, ...length];
  return { ...request, headers, body: isJson ? JSON.parse(bytes.toString('utf8')) : bytes.toString('utf8') };
}
