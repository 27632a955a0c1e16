import { ToolcribError } from '../errors.ts';
import { isObject, type SecretReference } from '../operations/index.ts';
import { jsonOf, looseJsonOf, refused, send } from './ask.ts';
import type { WebCallOptions } from './provider.ts';
import { type ProviderDoor, type ProviderParts, providerDoor, trimmedBase } from './provider-door.ts';
import { limited, patienceMs } from './rate-gate.ts';
import { stopIfEnded, timeLeft } from './time-left.ts';

/** Turns texts into vectors; the index must have been made with the same model. */
export interface Embedder {
  /** One vector a text, in order. Throws ToolcribError. */
  embed(texts: readonly string[], options?: WebCallOptions): Promise<readonly (readonly number[])[]>;
  close?(): Promise<void>;
}

export interface EmbeddingSettings {
  /** Base URL below which `/embeddings` lies, e.g. https://api.openai.com/v1. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: SecretReference;
  /** Asked for and checked, where it is given. */
  readonly dimensions?: number;
}

const PROVIDER = 'embeddings';

/** An endpoint that speaks the OpenAI API's `POST /embeddings`. */
export class OpenAiEmbedder implements Embedder {
  readonly #settings: EmbeddingSettings;
  readonly #baseUrl: string;
  readonly #door: ProviderDoor;

  constructor(settings: EmbeddingSettings, parts: ProviderParts = {}) {
    this.#settings = settings;
    this.#baseUrl = trimmedBase(settings.baseUrl);
    this.#door = providerDoor(parts, this.#baseUrl);
  }

  async embed(
    texts: readonly string[],
    options: WebCallOptions = {},
  ): Promise<readonly (readonly number[])[]> {
    const time = timeLeft(options);
    stopIfEnded(time, PROVIDER);
    const { apiKey, model, dimensions } = this.#settings;
    const key =
      apiKey === undefined
        ? undefined
        : await this.#door.secrets.read(apiKey, 'the API key of the embeddings', time.signal);
    const request = {
      method: 'POST',
      url: `${this.#baseUrl}/embeddings`,
      headers: [
        ['Accept', 'application/json'],
        ['Content-Type', 'application/json'],
        ...(key === undefined ? [] : [['Authorization', `Bearer ${key}`] as const]),
      ] as const,
      body: JSON.stringify({
        model,
        input: texts,
        encoding_format: 'float',
        ...(dimensions === undefined ? {} : { dimensions }),
      }),
      credentialHeaders: ['authorization'],
    };
    const response = await send(this.#door.egress, { provider: PROVIDER, request }, time);
    if (response.status === 429) {
      throw limited(PROVIDER, patienceMs(response, 20_000));
    }
    if (response.status !== 200) {
      throw refused(PROVIDER, response.status, messageOf(looseJsonOf(response)), {
        secrets: key === undefined ? [] : [key],
      });
    }
    return vectorsOf(jsonOf(response, PROVIDER), texts.length, dimensions);
  }

  close(): Promise<void> {
    return this.#door.close();
  }
}

function messageOf(body: unknown): string | undefined {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  return typeof error['message'] === 'string' ? error['message'] : undefined;
}

/** `data` is ordered by `index`. */
function vectorsOf(body: unknown, count: number, dimensions: number | undefined): number[][] {
  const data = isObject(body) && Array.isArray(body['data']) ? body['data'].filter(isObject) : [];
  const vectors = data
    .toSorted((a, b) => Number(a['index'] ?? 0) - Number(b['index'] ?? 0))
    .map(({ embedding }) => embedding);
  const whole =
    vectors.length === count && vectors.every((vector) => isVector(vector) && fits(vector, dimensions));
  if (whole) return vectors as number[][];
  throw new ToolcribError(
    'upstream_failed',
    'The embeddings endpoint did not answer with one vector a text.',
    {
      details: { provider: PROVIDER, kind: 'vectors' },
    },
  );
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);
}

function fits(vector: readonly number[], dimensions: number | undefined): boolean {
  return dimensions === undefined || vector.length === dimensions;
}
