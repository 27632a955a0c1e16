import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';

type Document = Readonly<Record<string, unknown>>;
type Clause = Readonly<Record<string, never>> | Record<string, unknown>;

export interface OpenSearchDouble extends LoopbackService {
  /** By id; a member that is a list of numbers is a vector. */
  readonly documents: Map<string, Document>;
  /** Shards that fail, of five, and whether the search says that it ran out of time. */
  trouble: { failedShards: number; timedOut: boolean };
  /** Body of the last `_search`. */
  lastBody(): Record<string, unknown>;
}

/**
 * `POST /<index>/_search` on the loopback: match, multi_match, bool, term, terms, range, knn and hybrid, the shapes of
 * answers and errors. Scores are word counts and cosines: enough to order documents, no Lucene.
 */
export async function startOpenSearch({
  index = 'chunks',
  variant = 'opensearch',
}: {
  index?: string;
  variant?: 'opensearch' | 'elasticsearch';
} = {}): Promise<OpenSearchDouble> {
  const documents = new Map<string, Document>();
  const state = { trouble: { failedShards: 0, timedOut: false } };
  let last: Record<string, unknown> = {};

  const handle = ({ method, path, body }: ReceivedRequest): Answer => {
    const [, named, action] = path.split('/');
    if (method !== 'POST' || action !== '_search')
      return failure(405, 'illegal_argument_exception', 'Incorrect HTTP method');
    if (decodeURIComponent(named ?? '') !== index) {
      return failure(404, 'index_not_found_exception', `no such index [${named}]`);
    }
    last = JSON.parse(body.toString()) as Record<string, unknown>;
    try {
      return answer(scored(last));
    } catch (error) {
      return failure(400, 'parsing_exception', (error as Error).message);
    }
  };

  const scored = (request: Record<string, unknown>): [string, number][] => {
    const { query, knn, size = 10, timeout: _timeout, _source, ...unknown } = request;
    if (Object.keys(unknown).length > 0)
      throw new Error(`Unknown key for a VALUE_STRING in [${Object.keys(unknown)[0]}].`);
    if (knn !== undefined && variant === 'opensearch')
      throw new Error('Unknown key for a START_OBJECT in [knn].');
    return [...documents]
      .map(([id, document]): [string, number] => {
        const text = query === undefined ? 0 : score(document, query as Clause, variant);
        const near = knn === undefined ? 0 : elasticKnn(document, knn as Record<string, unknown>);
        return [id, text + near];
      })
      .filter(([, value]) => value > 0)
      .sort((a, b) => b[1] - a[1])
      .slice(0, Number(size));
  };

  const answer = (hits: [string, number][]): Answer => {
    const { failedShards: failed, timedOut } = state.trouble;
    return {
      status: 200,
      body: {
        took: 3,
        timed_out: timedOut,
        _shards: {
          total: 5,
          successful: 5 - failed,
          skipped: 0,
          failed,
          ...(failed === 0
            ? {}
            : {
                failures: [
                  {
                    shard: 0,
                    index,
                    reason: { type: 'circuit_breaking_exception', reason: 'Data too large' },
                  },
                ],
              }),
        },
        hits: {
          total: { value: hits.length, relation: 'eq' },
          max_score: hits[0]?.[1] ?? null,
          hits: hits.map(([id, value]) => ({
            _index: index,
            _id: id,
            _score: value,
            _source: withoutVectors(documents.get(id)!),
          })),
        },
      },
    };
  };

  const service = await startLoopbackService('', handle);
  return Object.assign(state, service, { documents, lastBody: () => last });
}

/** 0: no match. */
function score(document: Document, clause: Clause, variant: string): number {
  const [[kind, body] = []] = Object.entries(clause) as [string, Record<string, unknown>][];
  if (body === undefined) throw new Error('[bool] query malformed, empty clause found');
  const [[field, argument] = []] = Object.entries(body) as [string, unknown][];
  switch (kind) {
    case 'match':
      return overlap(document[field!], (argument as { query: string }).query);
    case 'multi_match': {
      const { query, fields } = body as { query: string; fields: string[] };
      return Math.max(...fields.map((named) => weighted(document, named, query)));
    }
    case 'bool': {
      const { must = [], filter = [] } = body as { must?: Clause[]; filter?: Clause[] };
      if (!filter.every((one) => score(document, one, variant) > 0)) return 0;
      const scores = must.map((one) => score(document, one, variant));
      return must.length === 0 ? 1 : scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one, 0);
    }
    case 'term':
      return document[field!] === argument ? 1 : 0;
    case 'terms':
      return (argument as unknown[]).includes(document[field!]) ? 1 : 0;
    case 'range':
      return within(document[field!], argument as Record<string, string | number>) ? 1 : 0;
    case 'knn': {
      if (variant !== 'opensearch') throw new Error('[knn] queries must be provided differently');
      const { vector, filter } = argument as { vector: number[]; filter?: Clause };
      if (filter !== undefined && score(document, filter, variant) === 0) return 0;
      return similarity(document[field!], vector);
    }
    case 'hybrid': {
      if (variant !== 'opensearch') throw new Error('unknown query [hybrid]');
      const scores = (body as { queries: Clause[] }).queries.map((one) => score(document, one, variant));
      return scores.reduce((sum, one) => sum + one, 0) / scores.length;
    }
    default:
      throw new Error(`unknown query [${kind}]`);
  }
}

function elasticKnn(document: Document, knn: Record<string, unknown>): number {
  const { field, query_vector: vector, k, num_candidates: candidates, filter = [] } = knn;
  if (Number(candidates) < Number(k)) throw new Error('[num_candidates] cannot be less than [k]');
  if (!(filter as Clause[]).every((one) => score(document, one, 'elasticsearch') > 0)) return 0;
  return similarity(document[String(field)], vector as number[]);
}

function weighted(document: Document, named: string, query: string): number {
  const [field, boost = '1'] = named.split('^');
  return overlap(document[field!], query) * Number(boost);
}

function overlap(text: unknown, query: string): number {
  const words = new Set(
    String(text ?? '')
      .toLowerCase()
      .match(/\w+/g),
  );
  return (query.toLowerCase().match(/\w+/g) ?? []).filter((word) => words.has(word)).length;
}

function within(value: unknown, bounds: Record<string, string | number>): boolean {
  const given = value as string | number;
  return Object.entries(bounds).every(([bound, limit]) => {
    if (bound === 'gte') return given >= limit;
    if (bound === 'gt') return given > limit;
    return bound === 'lte' ? given <= limit : given < limit;
  });
}

function similarity(value: unknown, vector: readonly number[]): number {
  if (!Array.isArray(value)) return 0;
  const dot = vector.reduce((sum, one, index) => sum + one * Number(value[index] ?? 0), 0);
  return dot / (Math.hypot(...vector) * Math.hypot(...(value as number[])) || 1);
}

function withoutVectors(document: Document): Document {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => !Array.isArray(value)));
}

function failure(status: number, type: string, reason: string): Answer {
  return { status, body: { error: { root_cause: [{ type, reason }], type, reason }, status } };
}
