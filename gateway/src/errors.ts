/** One row per error that can reach a person or a client. Nobody invents an error string elsewhere. */
interface ErrorDefinition {
  /** HTTP status of our own API for this error. */
  readonly status: number;
  /** JSON-RPC code when it is a protocol error; absent: an `isError` tool result. */
  readonly rpc?: number;
  /** Exit code of the command line (sysexits.h). */
  readonly exit: number;
  /** What the reader can do next. */
  readonly next: string;
}

const define = <T extends Record<string, ErrorDefinition>>(table: T): T => table;

export const ERRORS = define({
  // configuration and sources
  configuration_invalid: {
    status: 400,
    exit: 78,
    next: 'Correct the configuration at the place named and start again.',
  },
  source_unreadable: {
    status: 502,
    exit: 66,
    next: 'Check that the file or URL exists and can be read from here.',
  },
  source_invalid: {
    status: 422,
    exit: 65,
    next: 'Correct the document at the place named.',
  },
  source_unknown: {
    status: 404,
    exit: 64,
    next: 'Name a source of the configuration; `toolcrib compile --json` lists them.',
  },
  schema_refused: {
    status: 422,
    exit: 65,
    next: 'Simplify the schema at the place named, or exclude the operation.',
  },
  // resolving and authorising
  tool_unknown: {
    status: 404,
    rpc: -32602,
    exit: 64,
    next: 'List the tools again: the name may have changed or the source may be gone.',
  },
  tool_forbidden: {
    status: 403,
    exit: 77,
    next: 'Ask the operator for access; `toolcrib explain TOOL` shows which check refused.',
  },
  tool_quarantined: {
    status: 409,
    exit: 77,
    next: 'The definition changed since it was locked: review it with `toolcrib compile --diff`, then accept it.',
  },
  resource_unknown: { status: 404, rpc: -32602, exit: 64, next: 'List the resources again.' },
  prompt_unknown: { status: 404, rpc: -32602, exit: 64, next: 'List the prompts again.' },
  cursor_invalid: { status: 400, rpc: -32602, exit: 64, next: 'Start the listing again without a cursor.' },
  task_unknown: {
    status: 404,
    rpc: -32602,
    exit: 64,
    next: 'A task is kept for a while after it ended, for its caller alone; call the tool again.',
  },
  capability_missing: {
    status: 400,
    rpc: -32021,
    exit: 69,
    next: 'Use a client that supports the capability named.',
  },
  request_state_invalid: {
    status: 400,
    rpc: -32602,
    exit: 65,
    next: 'Send the request state exactly as it was received, with the arguments of the request that got it, before it expires.',
  },
  // arguments
  arguments_invalid: { status: 400, exit: 65, next: 'Correct the arguments named and call again.' },
  // finding operations, shaping answers
  operation_unknown: {
    status: 404,
    exit: 64,
    next: 'Search again: the operation may be hidden from you, renamed or gone.',
  },
  operation_ambiguous: {
    status: 409,
    exit: 64,
    next: 'Name one of the operation ids given.',
  },
  filter_invalid: {
    status: 400,
    exit: 65,
    next: 'Correct it: {field: value}; [a, b] for any of them, "~regex", ">5", "!=x"; dotted fields; _text, _has.',
  },
  response_unknown: {
    status: 404,
    exit: 64,
    next: 'Call the operation again: stored answers expire, and only their caller can read them.',
  },
  feature_unknown: {
    status: 404,
    exit: 64,
    next: 'Name a feature of the configuration; `toolcrib features` lists them.',
  },
  // principals and access
  organisation_missing: {
    status: 403,
    exit: 77,
    next: 'An admin adds the user to an organisation: `toolcrib admin user add`.',
  },
  admin_needed: { status: 403, exit: 77, next: 'Ask an admin of the organisation to do this.' },
  record_unknown: { status: 404, exit: 64, next: 'List the records again and name one of them.' },
  record_invalid: { status: 400, exit: 65, next: 'Correct the member named and send it again.' },
  record_conflict: {
    status: 409,
    exit: 73,
    next: 'Another record has this already: change it or choose another.',
  },
  acting_user_missing: {
    status: 403,
    exit: 77,
    next: "An admin maps the user to the provider's user id: `toolcrib admin connection map`.",
  },
  path_blocked: { status: 403, exit: 77, next: 'This part of the service is closed to every caller.' },
  // credentials
  credentials_missing: {
    status: 401,
    exit: 77,
    next: 'Set the credential named, in the configuration or its environment variable.',
  },
  credentials_refused: {
    status: 502,
    exit: 77,
    next: 'Check client id, secret and scopes with the provider.',
  },
  connection_missing: {
    status: 409,
    exit: 77,
    next: 'Connect the account first: the connections page or `toolcrib admin connection add`.',
  },
  reconnect_required: {
    status: 409,
    exit: 77,
    next: 'The account must be connected again; open the link named, where there is one.',
  },
  // approvals and budgets
  approval_required: {
    status: 409,
    exit: 75,
    next: 'A person decides: `toolcrib approvals`. Then call again with the same arguments; no argument can approve.',
  },
  approval_rejected: { status: 403, exit: 77, next: 'Do not repeat the call: a person refused it.' },
  approval_expired: {
    status: 409,
    exit: 75,
    next: 'Call again to ask once more; nobody decided in time.',
  },
  approval_void: {
    status: 409,
    exit: 75,
    next: 'An approval is good for one call, as it was approved: call again to ask once more.',
  },
  approval_unknown: {
    status: 404,
    exit: 64,
    next: 'List the approvals; only the caller who asked can use one.',
  },
  approval_forbidden: {
    status: 403,
    exit: 77,
    next: 'Decide from another channel than the call: the console, `toolcrib approvals`, or a one-time link.',
  },
  approval_decided: { status: 409, exit: 75, next: 'Look at the approval: it was decided before.' },
  budget_exceeded: {
    status: 429,
    exit: 75,
    next: 'The budget named is used up: wait for its window to pass, or ask the operator to raise it.',
  },
  // upstream MCP servers
  upstream_unavailable: {
    status: 503,
    exit: 69,
    next: 'The server is being started again; nothing was sent. Call again after the time named.',
  },
  upstream_crashed: {
    status: 502,
    exit: 69,
    next: 'The server ended during the call, which changes nothing. Call again: it is being started.',
  },
  input_expired: {
    status: 409,
    exit: 75,
    next: 'The question is no longer open: call again from the start.',
  },
  answer_invalid: {
    status: 400,
    rpc: -32602,
    exit: 65,
    next: 'Correct the answer named and send it with the same request state: the question is still open.',
  },
  isolation_unavailable: {
    status: 500,
    exit: 78,
    next: 'Install bubblewrap (bwrap), or set `isolation: none` for this server.',
  },
  authorization_required: {
    status: 401,
    exit: 77,
    next: 'Sign in: `toolcrib login NAME`, by the name of the source.',
  },
  // web providers
  robots_disallowed: {
    status: 403,
    exit: 77,
    next: 'The site asks robots to stay away from this page; ask for another.',
  },
  // artifacts
  artifact_quota_exceeded: {
    status: 507,
    exit: 75,
    next: 'Remove artifacts that are no longer needed, or raise `artifacts.quota`.',
  },
  artifact_too_large: {
    status: 413,
    exit: 65,
    next: 'Get it as a file, `toolcrib artifacts get ID --out FILE`, or in parts by HTTP: `GET /api/v1/artifacts/ID` with `Range`.',
  },
  artifact_elsewhere: {
    status: 404,
    exit: 78,
    next: 'It can be read again while `artifacts.store` names that place.',
  },
  // execution
  rate_limited: {
    status: 429,
    exit: 75,
    next: "The provider's limit is used up for now; call again after the time named.",
  },
  interrupted: {
    status: 503,
    exit: 75,
    next: 'The gateway stopped during the call; nothing was changed. Call again.',
  },
  egress_blocked: {
    status: 403,
    exit: 77,
    next: 'If this address is meant, the operator allows it in `egress.allow` or with --allow-private.',
  },
  upstream_unreachable: {
    status: 502,
    exit: 69,
    next: 'Nothing was sent. Check the address and the network, then call again.',
  },
  upstream_failed: {
    status: 502,
    exit: 69,
    next: 'The answer could not be used. Call again later or check the service.',
  },
  upstream_status: { status: 502, exit: 69, next: 'Read the answer of the service and correct the call.' },
  upstream_too_large: {
    status: 502,
    exit: 69,
    next: 'Ask for less: filter, page, or raise the limit in the configuration.',
  },
  outcome_unknown: {
    status: 504,
    exit: 75,
    next: 'The write may have happened. Check its effect before you try again.',
  },
  deadline_exceeded: {
    status: 504,
    exit: 75,
    next: 'Call again with less work, or raise `limits.timeout` of the source.',
  },
  cancelled: {
    status: 499,
    exit: 75,
    next: 'Call again if the result is still wanted.',
  },
  connection_suspended: {
    status: 503,
    exit: 75,
    next: 'The service failed repeatedly and gets a pause; call again after the time named.',
  },
  overloaded: {
    status: 429,
    exit: 75,
    next: 'Too many calls at once for this connection; call again shortly.',
  },
  // skills and the tools that they bring
  skill_unknown: {
    status: 404,
    exit: 64,
    next: 'List the skills: `toolcrib skills list`, or GET /api/v1/skills.',
  },
  skill_invalid: {
    status: 422,
    exit: 65,
    next: 'Correct the skill at the place named; `toolcrib skills lint DIR` shows every finding.',
  },
  skill_forbidden: {
    status: 403,
    exit: 77,
    next: 'Ask the operator: roles and skills are set in `policy.skills`.',
  },
  skill_import_refused: {
    status: 409,
    exit: 65,
    next: 'Correct the package, or import it with force to replace the good version by it.',
  },
  archive_refused: {
    status: 422,
    exit: 65,
    next: 'Pack the folder again: plain files only, with paths inside it and within the limits.',
  },
  template_value_missing: {
    status: 400,
    exit: 65,
    next: 'Give the argument named, or a default in the template: {{args.x|default:value}}.',
  },
  sandbox_unavailable: {
    status: 500,
    exit: 78,
    next: 'Install bubblewrap (bwrap), or choose another mode in `policy.skills`.',
  },
  script_unavailable: {
    status: 500,
    exit: 69,
    next: 'Install the program named, or correct the entry in the manifest.',
  },
  script_failed: {
    status: 502,
    exit: 69,
    next: 'Read what the script says and correct the call.',
  },
  script_output_limit: {
    status: 502,
    exit: 69,
    next: 'Ask for less: the script wrote more than a call may answer.',
  },
  dynamic_tool_failed_after_retries: {
    status: 502,
    exit: 69,
    next: 'Go on without this tool: the others are available.',
  },
  dynamic_tool_degraded: {
    status: 503,
    exit: 75,
    next: 'Go on without this tool, or try again after the time named.',
  },
  chat_unavailable: {
    status: 503,
    exit: 78,
    next: 'Set `chat.baseUrl` and `chat.model` in the configuration.',
  },
  model_failed: {
    status: 502,
    exit: 69,
    next: 'Check the address, the model and the key of `chat` in the configuration.',
  },
  tool_failed: { status: 502, exit: 69, next: 'Read what the tool says and correct the call.' },
  output_invalid: {
    status: 502,
    exit: 65,
    next: 'The answer does not fit its schema; turn off strict output or correct the document.',
  },
  // server
  unauthorized: {
    status: 401,
    exit: 77,
    next: 'Send `Authorization: Bearer` with the token of the server or, in a team, an API key (`toolcrib admin key add`).',
  },
  user_refused: {
    status: 403,
    exit: 77,
    next: 'Ask an admin of your organisation: the sign-in itself is good, another one changes nothing.',
  },
  csrf_refused: {
    status: 403,
    exit: 77,
    next: 'Send the `csrf` of GET /api/v1/session as `x-csrf-token`; the console does so once it is loaded again.',
  },
  owner_needed: {
    status: 403,
    exit: 77,
    next: 'Run `toolcrib console` on the machine of the gateway and sign in with its link.',
  },
  host_refused: {
    status: 403,
    exit: 77,
    next: 'Use the host name that the server listens on, or add it to `server.allowedHosts`.',
  },
  body_too_large: { status: 413, exit: 65, next: 'Send less than the limit named.' },
  request_invalid: {
    status: 400,
    exit: 65,
    next: 'Correct the request; the API description is at /api/v1/openapi.json.',
  },
  not_found: { status: 404, exit: 64, next: 'See /api/v1/openapi.json for the routes.' },
  // store
  store_unavailable: {
    status: 503,
    exit: 69,
    next: 'Check that the store can be reached and written; `toolcrib store status` says what is wrong.',
  },
  store_version: {
    status: 503,
    exit: 78,
    next: 'Run `toolcrib store migrate`, or the version of Toolcrib that the store belongs to.',
  },
  // the proxy route, in the spelling of its first callers
  NETWORK_ERROR: { status: 502, exit: 69, next: 'The provider could not be reached; try again later.' },
  ATS_TIMEOUT: {
    status: 502,
    exit: 75,
    next: 'The provider did not answer in time; check before writing again.',
  },
  ATS_AUTH_FAILED: { status: 502, exit: 77, next: 'Connect the account again.' },
  ATS_RATE_LIMITED: { status: 502, exit: 75, next: 'Wait, then try again.' },
  ATS_NOT_FOUND: { status: 502, exit: 64, next: 'Check the id and the path.' },
  ATS_INVALID_REQUEST: { status: 400, exit: 65, next: 'Correct the request and send it again.' },
  INTEGRATION_NOT_CONNECTED: { status: 400, exit: 77, next: 'Connect the account first.' },
  UNKNOWN_ERROR: { status: 502, exit: 70, next: 'Try again later; the event log has the code.' },
  // command line
  usage: { status: 400, exit: 64, next: 'See `toolcrib --help`.' },
  port_in_use: {
    status: 500,
    exit: 69,
    next: 'Choose another port with --port, or stop what uses this one: `toolcrib doctor` says what it is.',
  },
  client_unknown: { status: 400, exit: 64, next: 'Name one of the clients listed.' },
  file_unusable: {
    status: 500,
    exit: 73,
    next: 'Make the place named readable and writable, with space left, or name another.',
  },
  file_conflict: {
    status: 409,
    exit: 73,
    next: 'Resolve the conflict in the file named and run the command again.',
  },
  internal: {
    status: 500,
    rpc: -32603,
    exit: 70,
    next: 'This is a fault of Toolcrib: please report it with the correlation id.',
  },
});

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorPlace {
  /** JSON Pointer into the document or the arguments. */
  readonly pointer?: string;
  /** File (with `:line` where known) or URL. */
  readonly location?: string;
  /** HTTP status of an upstream answer. */
  readonly status?: number;
  readonly details?: { readonly [key: string]: unknown };
  /** What to do next, where more is known than the code's own advice. */
  readonly next?: string;
  /** What a caller reads instead of code, message and next step, where a contract fixes the words. */
  readonly text?: string;
  /** What the result of a call that ends so has in its meta. */
  readonly meta?: { readonly [key: string]: unknown };
  readonly cause?: unknown;
}

/** The one error class that crosses rooms. `message` says what happened and where. */
export class ToolcribError extends Error {
  readonly code: ErrorCode;
  readonly pointer: string | undefined;
  readonly location: string | undefined;
  readonly status: number | undefined;
  readonly details: { readonly [key: string]: unknown } | undefined;
  readonly next: string;
  readonly text: string | undefined;
  readonly meta: { readonly [key: string]: unknown } | undefined;

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}) {
    super(message, place.cause === undefined ? undefined : { cause: place.cause });
    this.name = 'ToolcribError';
    this.code = code;
    this.pointer = place.pointer;
    this.location = place.location;
    this.status = place.status;
    this.details = place.details;
    this.next = place.next ?? ERRORS[code].next;
    this.text = place.text;
    this.meta = place.meta;
  }
}

export function isToolcribError(error: unknown): error is ToolcribError {
  return error instanceof ToolcribError;
}

/** What the machine lacks, by the system's code: no fault of the program, and no text of it. */
const LACKS: Readonly<Record<string, readonly [message: string, next: string]>> = {
  ENOSPC: ['The disk is full', 'Make room on the disk, then try again.'],
  EDQUOT: ["The user's share of the disk is used up", 'Make room, then try again.'],
  EFBIG: ['A file may not become so large here', 'Raise the limit (`ulimit -f`), or name another place.'],
  EROFS: ['The file system cannot be written', 'Mount it for writing, or name another place.'],
  EMFILE: ['Too many files are open', 'Let the process open more files (`ulimit -n`), then try again.'],
  ENFILE: ['Too many files are open on this machine', 'Close some of them, then try again.'],
};

function lackOf(error: unknown): ToolcribError | undefined {
  const { syscall, code } = (error ?? {}) as { syscall?: unknown; code?: unknown };
  if (typeof syscall !== 'string' || typeof code !== 'string' || !Object.hasOwn(LACKS, code))
    return undefined;
  const [message, next] = LACKS[code]!;
  return new ToolcribError('file_unusable', `${message} (${code}).`, { next, cause: error });
}

/** Any thrown value as a ToolcribError; foreign ones become `internal` without their text reaching a client. */
export function asToolcribError(error: unknown): ToolcribError {
  if (isToolcribError(error)) return error;
  const lack = lackOf(error);
  if (lack !== undefined) return lack;
  return new ToolcribError('internal', 'An unexpected fault occurred.', { cause: error });
}
