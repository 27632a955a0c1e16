import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { once } from '../../../src/operations/work/once.ts';
import { describeApi } from '../../../src/server/http/description.ts';
import { ROUTES } from '../../../src/server/http/routes/index.ts';

type Described = Record<string, Record<string, { readonly responses: Record<string, Response> }>>;
interface Response {
  readonly content?: Record<string, { readonly schema: object }>;
}

const routes = ROUTES.map((route) => ({ ...route, template: templateOf(route.path) }));
const validators = new Map<string, ValidateFunction | undefined>();

/** Made once a worker: the answers of many tests are held against it. */
const described = once(() => describeApi() as unknown as { paths: Described; components: object });
const ajv = once(() => new Ajv2020({ strict: false, validateFormats: false }));

/**
 * Throws where a JSON answer of the API is another than its own description says: a status that is not described, a
 * member too many, one that is missing. What is sent to no route of the API passes.
 */
export function checkDescribed(method: string, path: string, status: number, body: unknown): void {
  const { pathname } = new URL(path, 'http://127.0.0.1');
  const sent = method.toLowerCase();
  const route = routes.find(({ method, template }) => method === sent && template.test(pathname));
  if (route === undefined) return;
  const key = `${route.operationId} ${status}`;
  if (!validators.has(key)) validators.set(key, validatorOf(route, status));
  const validate = validators.get(key);
  if (validate === undefined || validate(body)) return;
  const found = validate.errors!.map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
  throw new Error(`The answer of ${key} is not as described: ${found.join('; ')} in ${JSON.stringify(body)}`);
}

function templateOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`);
}

/** Undefined where the answer is no JSON. */
function validatorOf(
  { path, method }: (typeof ROUTES)[number],
  status: number,
): ValidateFunction | undefined {
  const { paths, components } = described();
  const { responses } = paths[path]![method]!;
  if (status < 400 && responses[status] === undefined)
    throw new Error(`${method} ${path}: ${status} is not described`);
  const schema = (responses[status] ?? responses['default'])?.content?.['application/json']?.schema;
  return schema && ajv().compile({ ...schema, components });
}
