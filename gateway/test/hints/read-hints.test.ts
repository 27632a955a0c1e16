import { describe, expect, it } from 'vitest';
import { examineHints, type OperationHints, readHints, readSomeHints } from '../../src/hints/index.ts';
import type { Json, JsonObject } from '../../src/operations/index.ts';

describe('members of x-llm-hints', () => {
  it.each<[string, Json, Partial<OperationHints>]>([
    ['purpose', ' Lists pools. ', { purpose: 'Lists pools.' }],
    ['usage', ['a', 'b'], { usage: ['a', 'b'] }],
    ['usage', 'one text', { usage: ['one text'] }],
    ['failure_modes', ['404 if gone'], { failureModes: ['404 if gone'] }],
    [
      'error_handling',
      [{ code: 404, action: 'Look.' }],
      { errorHandling: [{ code: '404', action: 'Look.' }] },
    ],
    ['idempotent', false, { idempotent: false }],
    ['idempotent', 'false', { idempotent: false }],
    ['requires_confirmation', true, { requiresConfirmation: true }],
    ['confirmation_reason', 'It is gone then.', { confirmationReason: 'It is gone then.' }],
    ['related_endpoints', ['GET /pools'], { relatedEndpoints: ['GET /pools'] }],
    [
      'rate_limit',
      { limit: 4, window_seconds: 60, note: 'slow' },
      { rateLimit: { limit: 4, windowSeconds: 60, note: 'slow' } },
    ],
    ['postprocessing_hint', 'Sort it.', { postprocessing: 'Sort it.' }],
    ['response_shape', 'List<Pool>', { responseShape: 'List<Pool>' }],
    [
      'input_schema',
      { fields: [{ name: 'size', type: 'Int', required: true, description: 'Copies' }] },
      { inputFields: [{ name: 'size', type: 'Int', required: true, description: 'Copies' }] },
    ],
    ['output_schema', [{ name: 'id' }], { outputFields: [{ name: 'id' }] }],
    [
      'path_parameters',
      [{ name: 'id', in: 'path', required: true, description: 'Its id', example: 42 }],
      { pathParameters: [{ name: 'id', in: 'path', required: true, description: 'Its id', example: '42' }] },
    ],
    [
      'request_parameters',
      [{ name: 'where', in: 'body', example: { a: 1 } }],
      { requestParameters: [{ name: 'where', in: 'body', example: '{"a":1}' }] },
    ],
    ['semantic_category', 'monitoring', { semanticCategory: 'monitoring' }],
    ['retry_strategy', 'none', { retryStrategy: 'none' }],
    ['cache_hint', 'short-lived', { cacheHint: 'short-lived' }],
    [
      'workflow_guidance',
      { pre_check: 'before', post_action: 'after' },
      { workflow: { preCheck: 'before', postAction: 'after' } },
    ],
    [
      'workflow_dependencies',
      { prerequisite: 'a disk', order: '1. 2.' },
      { workflowDependencies: { prerequisite: 'a disk', order: '1. 2.' } },
    ],
    ['recommended_poll_interval', { value: 30, unit: 'seconds' }, { pollIntervalSeconds: 30 }],
    ['recommended_poll_interval', { value: 2, unit: 'minutes' }, { pollIntervalSeconds: 120 }],
    ['recommended_poll_interval', { value: 500, unit: 'ms' }, { pollIntervalSeconds: 0.5 }],
    ['poll_interval', 15, { pollIntervalSeconds: 15 }],
    [
      'common_parameters',
      { 'pagination.limit': 'At most 500.' },
      { commonParameters: { 'pagination.limit': 'At most 500.' } },
    ],
    ['llm_priority', 'low', { priority: 'low' }],
    ['llm_priority_reason', 'It is text.', { priorityReason: 'It is text.' }],
    ['streaming_response', true, { streaming: true }],
    ['default_values', { format: 'raw' }, { defaultValues: { format: 'raw' } }],
    ['request_examples', [{ name: 'a' }], { requestExamples: [{ name: 'a' }] }],
    ['parameter_details', { size: 'Copies.' }, { parameterDetails: { size: 'Copies.' } }],
    ['ceph_integration', { command: 'osd df' }, { cephIntegration: { command: 'osd df' } }],
    ['token_optimization', 'Ask for few rows.', { tokenOptimization: 'Ask for few rows.' }],
  ])('%s: %j', (member, value, expected) => {
    expect(examineHints({ [member]: value })).toEqual({ hints: expected, problems: [] });
  });

  it('members that are not known are kept as they are', () => {
    const unknown = { since: '4.0', nested: { a: [1] } };
    expect(readHints({ purpose: 'p', ...unknown })).toEqual({ purpose: 'p', other: unknown });
  });

  it('some of them are read as all are, and the others not at all', () => {
    const json: JsonObject = {
      purpose: 'Lists pools.',
      usage: 'To see usage.',
      requires_confirmation: 'perhaps',
      recommended_poll_interval: 30,
      since: '4.0',
    };
    const all = readHints(json);
    expect(readSomeHints(json, ['usage', 'pollIntervalSeconds', 'failureModes'])).toEqual({
      usage: all.usage,
      pollIntervalSeconds: 30,
    });
    expect(readSomeHints(json, ['requiresConfirmation'])).toEqual({ requiresConfirmation: true });
  });

  it('of a parameter that is described twice the last description counts: generated ones come first', () => {
    const twice = ['id parameter', 'Id from GET /pools'].map((description) => ({
      name: 'id',
      in: 'path',
      description,
    }));
    expect(readHints({ path_parameters: twice }).pathParameters).toEqual([twice[1]]);
  });
});

describe('what is not as it should be', () => {
  it.each<[string, Json]>([
    ['purpose', ['a list']],
    ['usage', { a: 1 }],
    ['error_handling', 'call support'],
    ['idempotent', 'perhaps'],
    ['rate_limit', 'ten'],
    ['input_schema', { fields: 'name' }],
    ['workflow_guidance', []],
    ['recommended_poll_interval', { value: 3, unit: 'fortnights' }],
    ['common_parameters', 7],
  ])('%s: %j is left out, and the rest holds', (member, value) => {
    const { hints, problems } = examineHints({ purpose: 'p', [member]: value });
    if (member !== 'purpose') expect(hints.purpose).toBe('p');
    // an empty list says nothing, and nothing wrong
    expect(problems).toEqual(member === 'workflow_guidance' ? [] : [member]);
  });

  it('a confirmation that is asked for in a form of its own is asked for', () => {
    expect(examineHints({ requires_confirmation: { by: 'admin' } })).toEqual({
      hints: { requiresConfirmation: true },
      problems: ['requires_confirmation'],
    });
    expect(readHints({ requires_confirmation: null })).toEqual({});
  });

  it('null is nothing said, and names that could harm are dropped', () => {
    const hints: JsonObject = JSON.parse('{"purpose":null,"__proto__":{"polluted":true},"constructor":1}');
    expect(examineHints(hints)).toEqual({ hints: {}, problems: [] });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('lists and texts without end are read up to a bound', () => {
    const { usage, purpose } = readHints({
      usage: Array.from({ length: 10_000 }, String),
      purpose: 'x'.repeat(1e6),
    });
    expect(usage).toHaveLength(200);
    expect(purpose!.length).toBe(4000);
  });
});
