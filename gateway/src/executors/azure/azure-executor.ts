import { ToolcribError } from '../../errors.ts';
import type { AzureSettings, Call, Connection, JsonObject, Principal } from '../../operations/index.ts';
import type { ExecuteContext, Executor, RawResult } from '../executor.ts';
import { noteAttempts } from '../http/note-attempt.ts';
import { ADVICE_BOUNDS } from './argument-advice.ts';
import { bounded } from './bounded.ts';
import { choiceDetails, explainChoices, wrongChoices } from './choice-problems.ts';
import type { ConnectorRoom, FindConnectorRoom } from './connector-room.ts';
import { adminSignsIn, earlierAnswer, isAdmin, notSignedIn, signIn, withoutLink } from './consent.ts';
import {
  createDynamicSchemas,
  type DynamicSchemas,
  shapedArguments,
  type ValidateValue,
} from './dynamic-schema.ts';
import { azureOf, type ConnectorRequest, connectorRequest } from './envelope.ts';
import { createHelperCalls, type HelperCalls } from './helper-calls.ts';
import { followPages, type PagedAnswer } from './pages.ts';
import { plannedResult } from './planned.ts';
import { type ConnectorRetry, DEFAULT_RETRY, sendRequest } from './send.ts';
import { isUnauthenticated } from './unauthenticated.ts';

export interface AzureExecutorOptions {
  readonly rooms: FindConnectorRoom;
  /** For schemas that connectors tell at run time. */
  readonly validate: ValidateValue;
  /** As they count now for the source of a connection; default: `explain`, 10 pages. */
  readonly settings?: (connection: Connection) => Pick<AzureSettings, 'dynamicValues' | 'pages'>;
  /** Shared with `get_parameter_options`; default: its own. */
  readonly helpers?: HelperCalls;
  readonly schemas?: DynamicSchemas;
  /** Who may have the link by which a shared account is exchanged. Default: everybody but users without role ADMIN. */
  readonly mayConsent?: (principal: Principal) => boolean | Promise<boolean>;
  /** Default 250 ms doubling, 20 s at most; 5 s where Azure throttles without naming a time. */
  readonly retry?: ConnectorRetry;
  /** Milliseconds that explaining a refused value, or reading a schema, may take. Default 5 s. */
  readonly adviceMs?: number;
}

const DEFAULT_SETTINGS = { dynamicValues: 'explain', pages: 10 } as const;
/** Answers of a connector that a value of the caller's may be the reason of. */
const REFUSED_VALUE: ReadonlySet<number> = new Set([400, 404, 409, 422]);
const EVERY_ARGUMENT = { arguments: Number.POSITIVE_INFINITY, incomplete: false };
const FEW_ARGUMENTS = { arguments: ADVICE_BOUNDS.arguments, incomplete: true };

/** Carries out operations of managed connectors through `dynamicInvoke` of their API connection. */
export function createAzureExecutor(options: AzureExecutorOptions): Executor {
  const { rooms, validate, retry = DEFAULT_RETRY, adviceMs = ADVICE_BOUNDS.milliseconds } = options;
  const helpers = options.helpers ?? createHelperCalls({ rooms, retry });
  const schemas = options.schemas ?? createDynamicSchemas(helpers);
  const mayConsent = options.mayConsent ?? isAdmin;
  const settingsOf = options.settings ?? (() => DEFAULT_SETTINGS);

  return {
    async execute(call, context) {
      const { operation } = call;
      const invocation = azureOf(operation);
      // before anything is asked of Azure: what no request can carry ends here
      const planned = connectorRequest(operation, call.arguments);
      const room = await rooms(context.connection);
      if (call.dryRun) return plannedResult(room, operation, planned);
      const settings = settingsOf(context.connection);
      const earlier = earlierAnswer(call, invocation.connection);
      if (earlier !== 'none') await finishSignIn(earlier, call, context, room);
      const args = await checkedArguments(call, context, settings.dynamicValues);
      const request = args === call.arguments ? planned : connectorRequest(operation, args);
      const run = (deadline: number) =>
        invoke(room, { ...call, arguments: args }, request, context, settings.pages, deadline);
      let read = await run(context.deadline);
      if (isUnauthenticated(read.answer, room.status(invocation.connection))) {
        const link = await linkFor(call, context, room);
        const signed =
          earlier === 'none'
            ? await signIn(unsigned(call, context, room), link, context.deadline)
            : undefined;
        if (signed === undefined) throw notSignedIn(invocation.connection, link);
        if (signed.kind === 'input_required') return signed;
        // nothing was carried out, so that the call may go once more; what the person took is not the connector's time
        read = await run(context.deadline + signed.askedMs);
        if (isUnauthenticated(read.answer, room.status(invocation.connection))) {
          room.observed(invocation.connection, 'Error');
          throw notSignedIn(invocation.connection, link);
        }
      }
      return result(read, { ...call, arguments: args }, context, room, settings.dynamicValues);
    },
  };

  /** One round at the connector, all pages of it. */
  async function invoke(
    room: ConnectorRoom,
    call: Call,
    request: ConnectorRequest,
    { connection: { limits }, signal }: ExecuteContext,
    pages: number,
    deadline: number,
  ): Promise<PagedAnswer> {
    const { operation, arguments: args } = call;
    const ended = noteAttempts(call);
    const send = (asked: ConnectorRequest) =>
      sendRequest({ room, operation, request: asked, limits, signal, deadline, retry, ended });
    const first = await send(request);
    const { status } = first.answer;
    if (status < 200 || status >= 300) return first;
    const maxBytes = Math.min(operation.limits?.maxOutputBytes ?? limits.maxBytes, limits.maxBytes);
    return followPages(operation, args, request, first, { pages, maxBytes }, send);
  }

  /** Throws `arguments_invalid` where a value is none of those that the connector takes now. */
  async function checkedArguments(
    { operation, arguments: args }: Call,
    { connection, signal }: ExecuteContext,
    mode: AzureSettings['dynamicValues'],
  ): Promise<JsonObject> {
    if (mode === 'off') return args;
    const { choices = [], shapes = [] } = azureOf(operation);
    const question = { operation, arguments: args, connection };
    if (mode === 'check' && choices.length > 0) {
      const wrong = await wrongChoices(helpers, { ...question, signal }, EVERY_ARGUMENT);
      if (wrong.length > 0) {
        throw new ToolcribError('arguments_invalid', explainChoices(wrong), {
          pointer: wrong[0]!.pointer,
          details: { options: choiceDetails(wrong) },
        });
      }
    }
    if (shapes.length === 0) return args;
    return bounded(
      signal,
      adviceMs,
      (within) => shapedArguments(schemas, validate, { ...question, signal: within }),
      args,
    );
  }

  /** The page of a person's consent; throws what the caller is told instead. */
  async function linkFor(call: Call, { signal }: ExecuteContext, room: ConnectorRoom): Promise<string> {
    const { connection, api, operationId } = azureOf(call.operation);
    room.observed(connection, 'Error');
    if (!(await mayConsent(call.principal))) throw adminSignsIn(connection);
    try {
      return await room.consentLink(connection, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw withoutLink(connection, `Error invoking ${api}.${operationId}: `, error);
    }
  }

  /** The client came back with what its person did about the page. */
  async function finishSignIn(
    answer: 'accepted' | 'refused',
    call: Call,
    context: ExecuteContext,
    room: ConnectorRoom,
  ): Promise<void> {
    const { connection } = azureOf(call.operation);
    const left = Math.max(1, context.deadline - Date.now());
    const connected = answer === 'accepted' && (await room.whenConnected(connection, left, context.signal));
    if (connected) return;
    context.signal.throwIfAborted();
    throw notSignedIn(connection, await linkFor(call, context, room));
  }

  async function result(
    { answer, attempts, outcome, warning }: PagedAnswer,
    call: Call,
    { connection, signal }: ExecuteContext,
    room: ConnectorRoom,
    mode: AzureSettings['dynamicValues'],
  ): Promise<RawResult> {
    const { operation, arguments: args } = call;
    const { connection: name } = azureOf(operation);
    const { status, headers, body, url, own } = answer;
    const ok = status >= 200 && status < 300;
    if (ok) noteConnected(room, name);
    const explains = !own && mode !== 'off' && REFUSED_VALUE.has(status);
    const wrong = explains
      ? await bounded(
          signal,
          adviceMs,
          (within) =>
            wrongChoices(helpers, { operation, arguments: args, connection, signal: within }, FEW_ARGUMENTS),
          [],
        )
      : [];
    return {
      kind: 'http',
      status,
      headers,
      body,
      url,
      attempts,
      ...(outcome === 'unknown_outcome' ? { unknownOutcome: true } : {}),
      ...(warning === undefined ? {} : { warnings: [warning] }),
      ...(wrong.length === 0
        ? {}
        : { advice: { text: explainChoices(wrong), details: { options: choiceDetails(wrong) } } }),
    };
  }
}

const unsigned = (call: Call, { signal }: ExecuteContext, room: ConnectorRoom) => ({
  call,
  room,
  signal,
  connection: azureOf(call.operation).connection,
});

/** An answer of the connector shows that somebody is signed in, whatever the last listing said. */
function noteConnected(room: ConnectorRoom, connection: string): void {
  const status = room.status(connection);
  if (status !== undefined && status !== 'Connected') room.observed(connection, 'Connected');
}
