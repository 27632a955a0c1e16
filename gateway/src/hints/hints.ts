import type { Json, JsonObject } from '../operations/index.ts';

/** What an operation's description says to a model about its use. Advice of strangers: it never lowers caution. */
export interface OperationHints {
  /** What it is for, in one sentence. */
  readonly purpose?: string;
  /** When to use it. */
  readonly usage?: readonly string[];
  readonly failureModes?: readonly string[];
  readonly errorHandling?: readonly ErrorAdvice[];
  /** Only `false` has an effect: such a call is not repeated once it may have arrived. */
  readonly idempotent?: boolean;
  /** Only `true` has an effect: a person is asked. */
  readonly requiresConfirmation?: boolean;
  readonly confirmationReason?: string;
  /** `METHOD /path` or `/path`, as written. */
  readonly relatedEndpoints?: readonly string[];
  readonly rateLimit?: RateAdvice;
  /** What to do with the answer. */
  readonly postprocessing?: string;
  readonly responseShape?: string;
  readonly outputFields?: readonly HintField[];
  readonly inputFields?: readonly HintField[];
  readonly pathParameters?: readonly HintParameter[];
  readonly requestParameters?: readonly HintParameter[];
  readonly semanticCategory?: string;
  readonly retryStrategy?: string;
  readonly cacheHint?: string;
  readonly workflow?: { readonly preCheck?: string; readonly postAction?: string };
  readonly workflowDependencies?: { readonly prerequisite?: string; readonly order?: string };
  readonly pollIntervalSeconds?: number;
  /** Advice by the dotted name of a parameter, e.g. `pagination.limit`. */
  readonly commonParameters?: Readonly<Record<string, string>>;
  /** The same, as other documents spell it. */
  readonly parameterDetails?: Readonly<Record<string, string>>;
  readonly priority?: string;
  readonly priorityReason?: string;
  /** The answer is a stream or a file. */
  readonly streaming?: boolean;
  readonly defaultValues?: Readonly<Record<string, string>>;
  /** Whole requests that work. */
  readonly requestExamples?: readonly Json[];
  /** What the origin's servers add about Ceph and about saving tokens; of no fixed shape. */
  readonly cephIntegration?: Json;
  readonly tokenOptimization?: Json;
  /** Members that are not known here, untouched. */
  readonly other?: JsonObject;
}

export interface ErrorAdvice {
  /** HTTP status or a code of the service. */
  readonly code: string;
  readonly action: string;
}

/** At most `limit` calls within `windowSeconds`. */
export interface RateAdvice {
  readonly limit?: number;
  readonly windowSeconds?: number;
  readonly note?: string;
}

/** A member of a body or an answer; its type is a name of the service's own programming language. */
export interface HintField {
  readonly name: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly description?: string;
}

export interface HintParameter {
  readonly name: string;
  /** `path`, `query`, `body` … */
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: string;
}
