/**
 * What a provider documents of its operations, written by hand: where each sample argument must land. The tables
 * are the oracle of the wire tests and the routes of the doubles; nothing in them comes from a manifest.
 */
export type Scalar = string | number | boolean;
export type QueryValues = Readonly<Record<string, Scalar | readonly Scalar[]>>;

export interface SampleFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: string;
}

export interface DocumentedOperation {
  /** `POST /candidates/{id}`: method, and path below the base URL. */
  readonly route: string;
  readonly path?: Readonly<Record<string, Scalar>>;
  readonly query?: QueryValues;
  /** Members of the JSON body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Members of the one record in `{"data": [record]}`. */
  readonly record?: Readonly<Record<string, unknown>>;
  /** A file in a multipart body. */
  readonly file?: SampleFile;
  /** Members that the service insists on, in body or record. */
  readonly required?: readonly string[];
  /** The request says on whose behalf it is made: always, or where it is known. */
  readonly actingUser?: 'required' | 'accepted';
  /** Changes nothing, though it is no GET. */
  readonly reads?: true;
  /** Irreversible or far-reaching: nobody is offered it. */
  readonly dangerous?: true;
  /** Below a path that is closed to everybody. */
  readonly blocklisted?: true;
  /** The arguments, where they are not simply the samples of path, query and body side by side. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Query parameters beyond the sample's that the service takes. */
  readonly alsoAccepts?: readonly string[];
}

export type OperationTable = Readonly<Record<string, DocumentedOperation>>;

/** How a provider writes what its operations share. */
export interface WireRules {
  /** Array parameters: `a=1,2` or `a=1&a=2`. */
  readonly arrays: 'comma' | 'repeat';
  /** Where the acting user goes; `token`: into the access token, so that the request itself does not show it. */
  readonly actingUser?: { readonly in: 'header' | 'query'; readonly name: string } | { readonly in: 'token' };
}

/** The exact request. `query` is decoded and sorted; `headers` by lower-case name, `undefined`: must be absent. */
export interface ExpectedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  readonly file?: SampleFile;
}

export const readsOnly = ({ route, reads }: DocumentedOperation): boolean =>
  reads === true || route.startsWith('GET ');

/** No caller gets there. */
export const isWithheld = ({ dangerous, blocklisted }: DocumentedOperation): boolean =>
  dangerous === true || blocklisted === true;

export function argumentsOf(operation: DocumentedOperation): Record<string, unknown> {
  if (operation.arguments !== undefined) return { ...operation.arguments };
  const { path, query, body, record, file } = operation;
  return {
    ...path,
    ...query,
    ...body,
    ...record,
    ...(file && {
      [file.name]: {
        data: Buffer.from(file.bytes).toString('base64'),
        filename: file.filename,
        contentType: file.contentType,
      },
    }),
  };
}

/** The request that the sample arguments must make, for a caller whose user id at the provider is `actingUser`. */
export function expectedRequest(
  operation: DocumentedOperation,
  rules: WireRules,
  actingUser: string,
): ExpectedRequest {
  const [method, template] = operation.route.split(' ') as [string, string];
  const pairs = Object.entries(operation.query ?? {}).flatMap(([name, value]) =>
    pairsOf(name, value, rules.arrays),
  );
  const place = rules.actingUser;
  const says = operation.actingUser !== undefined;
  if (says && place?.in === 'query') pairs.push(`${place.name}=${actingUser}`);
  const json = operation.record === undefined ? operation.body : { data: [operation.record] };
  return {
    method,
    path: template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(operation.path![name]!)),
    query: pairs.sort(),
    headers: {
      ...(place?.in === 'header' && { [place.name.toLowerCase()]: says ? actingUser : undefined }),
      'content-type': contentTypeOf(operation, json),
    },
    ...(json === undefined ? {} : { json }),
    ...(operation.file === undefined ? {} : { file: operation.file }),
  };
}

function pairsOf(name: string, value: Scalar | readonly Scalar[], arrays: WireRules['arrays']): string[] {
  if (!Array.isArray(value)) return [`${name}=${value}`];
  return arrays === 'comma' ? [`${name}=${value.join(',')}`] : value.map((item) => `${name}=${item}`);
}

function contentTypeOf(operation: DocumentedOperation, json: unknown): string | undefined {
  if (operation.file !== undefined) return 'multipart/form-data';
  return json === undefined ? undefined : 'application/json';
}
