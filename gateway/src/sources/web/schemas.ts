import type { JsonSchema } from '../../operations/index.ts';

/** Input and output of the three tools: the same whichever provider answers, so that exchanging one changes no tool. */

const TEXT: JsonSchema = { type: 'string' };
const HASH: JsonSchema = {
  type: 'string',
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'SHA-256 of the text given here.',
};

const CITATIONS: JsonSchema = {
  type: 'array',
  description: 'What to cite: the address, and the hash of the text that was read there.',
  items: {
    type: 'object',
    properties: { sourceUrl: TEXT, contentHash: HASH, title: TEXT },
    required: ['sourceUrl', 'contentHash'],
    additionalProperties: false,
  },
};

/** Who answered, and why others did not. */
const ORIGIN: Readonly<Record<string, JsonSchema>> = {
  citations: CITATIONS,
  provider: { type: 'string', description: 'Who answered.' },
  warnings: { type: 'array', items: TEXT },
  unavailable: {
    type: 'array',
    description: 'Providers that were asked before and could not answer.',
    items: {
      type: 'object',
      properties: { provider: TEXT, code: TEXT, reason: TEXT },
      required: ['provider', 'code', 'reason'],
      additionalProperties: false,
    },
  },
};

export const SEARCH_INPUT: JsonSchema = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      description: 'What to look for, in a few words.',
    },
    count: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'Results at most.' },
    freshness: {
      enum: ['day', 'week', 'month', 'year'],
      description: 'Only pages of the last day, week, month or year.',
    },
    country: { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'Two letters, such as DE.' },
    language: { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'Two letters, such as de.' },
  },
  required: ['query'],
  additionalProperties: false,
};

export const SEARCH_OUTPUT: JsonSchema = {
  type: 'object',
  properties: {
    query: TEXT,
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: TEXT,
          url: TEXT,
          snippet: TEXT,
          publishedAt: TEXT,
          source: { type: 'string', description: 'Host of the page.' },
          contentHash: HASH,
        },
        required: ['title', 'url', 'snippet', 'source', 'contentHash'],
        additionalProperties: false,
      },
    },
    ...ORIGIN,
  },
  required: ['query', 'results', 'citations', 'provider'],
  additionalProperties: false,
};

export const SCRAPE_INPUT: JsonSchema = {
  type: 'object',
  properties: {
    url: {
      type: 'string',
      minLength: 1,
      maxLength: 2048,
      description: 'Absolute http or https address of a public page.',
    },
  },
  required: ['url'],
  additionalProperties: false,
};

export const SCRAPE_OUTPUT: JsonSchema = {
  type: 'object',
  properties: {
    url: TEXT,
    finalUrl: { type: 'string', description: 'Where the page came from, after redirects.' },
    title: TEXT,
    content: { type: 'string', description: 'The readable part of the page as Markdown.' },
    byline: TEXT,
    publishedAt: TEXT,
    contentHash: HASH,
    retrievedAt: { type: 'string', description: 'ISO 8601.' },
    ...ORIGIN,
  },
  required: ['url', 'finalUrl', 'title', 'content', 'contentHash', 'retrievedAt', 'citations', 'provider'],
  additionalProperties: false,
};

const SCALAR: JsonSchema = { type: ['string', 'number', 'boolean'] };
const BOUND: JsonSchema = { type: ['string', 'number'] };

export const RETRIEVE_INPUT: JsonSchema = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 4000,
      description: 'A question, or words of the passage.',
    },
    filters: {
      type: 'object',
      maxProperties: 20,
      description: 'By field: a value, a list of values, or bounds such as {"gte": "2024-01-01"}.',
      additionalProperties: {
        anyOf: [
          SCALAR,
          { type: 'array', items: SCALAR, minItems: 1, maxItems: 100 },
          {
            type: 'object',
            properties: { gt: BOUND, gte: BOUND, lt: BOUND, lte: BOUND },
            minProperties: 1,
            additionalProperties: false,
          },
        ],
      },
    },
    count: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'Passages at most.' },
  },
  required: ['query'],
  additionalProperties: false,
};

export const RETRIEVE_OUTPUT: JsonSchema = {
  type: 'object',
  properties: {
    query: TEXT,
    chunks: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: TEXT,
          text: TEXT,
          score: { type: 'number', description: 'Higher is closer; comparable within this answer only.' },
          source: { type: 'string', description: 'Where the text is from.' },
          contentHash: HASH,
          metadata: { type: 'object' },
        },
        required: ['id', 'text', 'score', 'source', 'contentHash', 'metadata'],
        additionalProperties: false,
      },
    },
    ...ORIGIN,
  },
  required: ['query', 'chunks', 'citations', 'provider'],
  additionalProperties: false,
};
