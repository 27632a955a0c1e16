import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createClientFromOperations } from '@stoplight/prism-http/dist/client.js';

const noop = () => undefined;
const LOGGER = {
  info: noop,
  warn: noop,
  error: noop,
  debug: noop,
  trace: noop,
  success: noop,
  child: () => LOGGER,
};

/** An answer without content: Prism's mock has nothing to negotiate, and the request is all that is judged. */
const ANSWERS = ['200', '400', '422'].map((code) => ({ id: code, code, headers: [], contents: [] }));

/**
 * Prism's reading of a document: `METHOD /path key` → a function that validates one request and returns its
 * violations. Each operation stands alone, so that no other path of the document can catch the request.
 */
export async function loadPrism(file) {
  const operations = new Map();
  for (const operation of await getHttpOperationsFromSpec(file)) {
    // The query part of a path key (`/a?b=c`, `/#Action=X`) is no path to Prism; callbacks would be sent.
    const [path] = operation.path.split(/[?#]/);
    const template = path.startsWith('/') ? path : `/${path}`;
    const alone = {
      ...operation,
      request: judgeable(operation.request),
      path: template.replaceAll('{+', '{'),
      callbacks: undefined,
      responses: ANSWERS,
    };
    const client = createClientFromOperations([alone], {
      mock: { dynamic: false },
      validateRequest: true,
      validateResponse: false,
      checkSecurity: false,
      errors: false,
      logger: LOGGER,
    });
    operations.set(`${operation.method.toUpperCase()} ${operation.path}`, {
      operation: alone,
      validate: (request) => violations(client, { ...request, url: oneSegmentEach(request.url, template) }),
    });
  }
  return operations;
}

/** Prism understands JSON and forms. It would hold the text of any other body against a schema that describes its meaning. */
function judgeable(request) {
  if (request?.body?.contents === undefined) return request;
  const contents = request.body.contents.map((content) =>
    /[/+]json\b|^multipart\/form-data|urlencoded|^\*\/\*/i.test(content.mediaType)
      ? content
      : { ...content, schema: undefined },
  );
  return { ...request, body: { ...request.body, contents } };
}

/** Prism routes no reserved expansion (`{+name}`): the slashes within such a value are encoded for it. */
function oneSegmentEach(url, template) {
  if (!template.includes('{+')) return url;
  const parts = template.split(/(\{[^}]*\})/);
  const pattern = parts.map((part) =>
    part.startsWith('{+') ? '(.+)' : part.startsWith('{') ? '([^/]*)' : `(${RegExp.escape(part)})`,
  );
  const { origin, pathname, search } = new URL(url);
  const values = new RegExp(`^${pattern.join('')}$`).exec(pathname)?.slice(1);
  if (values === undefined) return url;
  return (
    origin +
    values
      .map((value, index) => (parts[index].startsWith('{+') ? value.replaceAll('/', '%2F') : value))
      .join('') +
    search
  );
}

async function violations(client, { method, url, headers, body }) {
  const { pathname, search } = new URL(url);
  const input = {
    method: method.toLowerCase(),
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body }),
  };
  const answer = await client.request(pathname + search, input);
  return answer.violations.input.filter(({ severity }) => severity === 0);
}
