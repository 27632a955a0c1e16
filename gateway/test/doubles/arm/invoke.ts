import { type InvokeRequest, requestProblems } from './check-request.ts';
import { valueProblems } from './check-value.ts';
import {
  type HelperUse,
  helperAnswer,
  helperUse,
  helperUses,
  listedValues,
  usesInBody,
} from './helper-lists.ts';
import { isObject, type Json, objectOf, textOf, valueAt } from './json.ts';
import { escapeOf, matchOperation } from './match-operation.ts';
import { sampleAnswer } from './sample-answer.ts';
import { type Invocation, type Script, type ScriptedAnswer, Scripts } from './scripts.ts';
import { statusWord } from './status-words.ts';
import { type ConnectorOperation, readOperations, resolved, type SwaggerDocument } from './swagger.ts';

/** A connection as an invocation needs it. */
export interface InvokedConnection {
  readonly name: string;
  readonly api: string;
  /** The hexadecimal id inside the resource. */
  readonly id: string;
  readonly enabled: boolean;
  readonly signedIn: boolean;
}

interface Connector {
  readonly document: SwaggerDocument;
  readonly operations: readonly ConnectorOperation[];
  readonly uses: ReadonlyMap<string, readonly HelperUse[]>;
}

/** A path that no operation of its connector has, or that could leave it. */
export interface EscapedPath {
  readonly connection: string;
  readonly path: string;
  readonly reason: string;
}

/** The connectors behind `dynamicInvoke`: each answers by its own Swagger. */
export class ConnectorSide {
  readonly invocations: Invocation[] = [];
  readonly escaped: EscapedPath[] = [];
  readonly scripts = new Scripts();
  /** Values that a helper does not list are refused by the operations that use it. */
  refuseUnlisted = false;
  readonly #connectors = new Map<string, Connector>();
  /** Queries that addresses of next pages hold, by `<api>.<operationId>`. */
  readonly #issued = new Map<string, Set<string>>();

  install(api: string, document: SwaggerDocument): void {
    this.#connectors.set(api, { document, operations: readOperations(document), uses: helperUses(document) });
  }

  /** Answers with pages of rows, each but the last with the address of the next where the operation says. */
  pages(key: string, rows: readonly Json[], size: number): void {
    const [api = '', id = ''] = key.split(/\.(.*)/s);
    const connector = this.#connectors.get(api);
    const operation = connector?.operations.find((one) => one.id === id);
    const pageable = objectOf(operation?.node['x-ms-pageable']);
    this.#issued.set(key, new Set(['$skiptoken']));
    const script: Script = ({ queries, path, connectionId }) => {
      const start = Number(queries.$skiptoken ?? 0);
      const next = new URLSearchParams({
        ...(queries as Record<string, string>),
        $skiptoken: String(start + size),
      });
      const base = `https://${textOf(connector?.document.host)}${textOf(connector?.document.basePath)}`;
      const link = textOf(pageable.nextLinkName) || 'nextLink';
      const more =
        start + size < rows.length
          ? { [link]: `${base}/${connectionId}/${path.replace(/^\//, '')}?${next}` }
          : {};
      return { body: { [textOf(pageable.itemName) || 'value']: rows.slice(start, start + size), ...more } };
    };
    this.scripts.set(key, [script]);
  }

  /** The answer of a connection; undefined: the path could have left the connector, which is recorded. */
  answer(connection: InvokedConnection, request: InvokeRequest, text: string): ScriptedAnswer | undefined {
    const path = request.path.startsWith('/') ? request.path : `/${request.path}`;
    const connector = this.#connectors.get(connection.api);
    const reason = escapeOf(request.path);
    const match =
      reason === undefined ? matchOperation(connector?.operations ?? [], request.method, path) : undefined;
    const key = `${connection.api}.${match?.operation.id ?? ''}`;
    const problems =
      connector === undefined || match === undefined
        ? []
        : [
            ...match.problems,
            ...requestProblems(
              connector.document,
              match.operation,
              request,
              match.path,
              this.#issued.get(key) ?? new Set(),
            ),
          ];
    const invocation: Invocation = {
      ...request,
      connection: connection.name,
      connectionId: connection.id,
      api: connection.api,
      operationId: match?.operation.id,
      pathValues: match?.path ?? {},
      problems,
      text,
    };
    this.invocations.push(invocation);
    if (connector === undefined || match === undefined) {
      const why = reason ?? 'no operation of the connector has this path';
      this.escaped.push({ connection: connection.name, path: request.path, reason: why });
      return undefined;
    }
    if (!connection.enabled) return failed(403, 'ConnectionDisabled', 'This connection is disabled.');
    if (!connection.signedIn) return failed(401, 'Unauthenticated', 'This connection is not authenticated.');
    if (problems.length > 0) return failed(400, 'BadRequest', problems.join('\n'));
    const scripted = this.scripts.take(key, invocation);
    return (
      scripted ??
      this.#unlisted(connector, match.operation, invocation) ??
      this.#own(connector, match.operation)
    );
  }

  #own({ document, uses }: Connector, operation: ConnectorOperation): ScriptedAnswer {
    const own = uses.get(operation.id);
    if (own !== undefined) return { body: helperAnswer(document, operation, own) };
    const { status, body } = sampleAnswer(document, operation);
    return { status: statusWord(status), ...(body === undefined ? {} : { body }) };
  }

  /** A refusal where a value is not among those that its helper lists now. */
  #unlisted(
    connector: Connector,
    operation: ConnectorOperation,
    invocation: Invocation,
  ): ScriptedAnswer | undefined {
    if (!this.refuseUnlisted) return undefined;
    for (const { use, value, status } of usedValues(connector.document, operation, invocation)) {
      const answer = this.#listed(connector, use, invocation);
      const problems =
        use.kind === 'schema'
          ? valueProblems(connector.document, valueAt(answer, use.value), value, 'body')
          : listedValues(answer, use)?.some((one) => String(one) === String(value)) === false
            ? ['The specified object was not found in the store.']
            : [];
      if (problems.length > 0)
        return failed(status, status === 404 ? 'ErrorItemNotFound' : 'InvalidValue', problems.join('\n'));
    }
    return undefined;
  }

  #listed(connector: Connector, use: HelperUse, invocation: Invocation): Json | undefined {
    const helper = connector.operations.find(({ id }) => id === use.helper);
    if (helper === undefined) return undefined;
    const scripted = this.scripts.peek(`${invocation.api}.${use.helper}`, invocation)?.body;
    return scripted ?? helperAnswer(connector.document, helper, connector.uses.get(use.helper) ?? []);
  }
}

interface UsedValue {
  readonly use: HelperUse;
  readonly value: Json;
  readonly status: number;
}

function usedValues(
  document: SwaggerDocument,
  operation: ConnectorOperation,
  invocation: Invocation,
): UsedValue[] {
  return operation.parameters.flatMap((parameter): UsedValue[] => {
    const name = textOf(parameter.name);
    if (parameter.in === 'body') {
      const found = usesInBody(document, parameter.schema, invocation.body);
      const own = isObject(resolved(document, parameter.schema)) ? helperUse(parameter) : undefined;
      const whole =
        own === undefined || invocation.body === undefined ? [] : [{ use: own, value: invocation.body }];
      return [...found, ...whole].map((one) => ({ ...one, status: 400 }));
    }
    const use = helperUse(parameter);
    const value =
      parameter.in === 'path'
        ? invocation.pathValues[name]
        : parameter.in === 'query'
          ? invocation.queries[name]
          : parameter.in === 'header'
            ? invocation.headers[name]
            : undefined;
    if (use === undefined || value === undefined) return [];
    return [{ use, value, status: parameter.in === 'path' ? 404 : 400 }];
  });
}

/** A connector's own error, as its gateway writes it. */
function failed(status: number, code: string, message: string): ScriptedAnswer {
  return {
    status: statusWord(status),
    body: { error: { code, message, source: 'connector.example', clientRequestId: 'double' } },
  };
}
