import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import {
  createdTask,
  createdTaskId,
  relatedTask,
  taskOf,
  toolsAsTasks,
} from '../../src/upstreams/tasks/task.ts';
import type { UpstreamListing } from '../../src/upstreams/upstreams.ts';

const working = { taskId: 'a', status: 'working' };

describe('what a server answered tools/call with', () => {
  it('is a task since 2026-07-28 where it says so', () => {
    expect(createdTask({ resultType: 'task', ...working }, false)).toEqual({
      task: { id: 'a', status: 'working' },
      inTask: true,
    });
  });

  it('is one before that only where the call asked for one', () => {
    const answer = { task: working };
    expect(createdTask(answer, true)).toEqual({ task: { id: 'a', status: 'working' }, inTask: false });
    expect(createdTask(answer, false)).toBeUndefined();
    expect(createdTask({ task: 'a' }, true)).toBeUndefined();
    expect(createdTask({ content: [] }, true)).toBeUndefined();
  });

  it.each<[string, JsonObject, string | undefined]>([
    ['a task of 2026-07-28', { resultType: 'task', taskId: 'a' }, 'a'],
    ['one of 2025-11-25', { task: { taskId: 'a' } }, 'a'],
    ['an answer that names another task', { content: [], task: { taskId: 'a' } }, undefined],
    ['an answer with an id of its own', { taskId: 'a' }, undefined],
    ['an id that is none', { task: { taskId: 1 } }, undefined],
  ])('%s', (_case, result, id) => {
    expect(createdTaskId(result)).toBe(id);
  });
});

describe('the tools that are carried out as tasks alone', () => {
  const listing = {
    era: 'legacy',
    capabilities: { tasks: { requests: { tools: { call: {} } } } },
    tools: [
      { name: 'must', execution: { taskSupport: 'required' } },
      { name: 'may', execution: { taskSupport: 'optional' } },
      { name: 'plain' },
    ],
  } as unknown as UpstreamListing;

  it('are those that say so', () => {
    expect(toolsAsTasks(listing)).toEqual(new Set(['must']));
  });

  it('are none of a server that makes no tasks, or chooses itself', () => {
    expect(toolsAsTasks({ ...listing, capabilities: {} })).toBeUndefined();
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    const both = { ...listing.capabilities, extensions };
    expect(toolsAsTasks({ ...listing, era: 'modern', capabilities: both })).toBeUndefined();
  });
});

describe('a task', () => {
  it.each([
    ['no id', { status: 'working' }, 'no id'],
    ['an empty id', { taskId: '', status: 'working' }, 'no id'],
    ['no status', { taskId: 'a' }, 'no status'],
    ['a status that there is not', { taskId: 'a', status: 'paused' }, 'no status'],
  ])('with %s is no task', (_case, value, why) => {
    expect(() => taskOf(value)).toThrow(why);
  });

  it('says what a server wrote without what a terminal would obey, and not at any length', () => {
    const { message } = taskOf({ ...working, statusMessage: `\u001b[31mred\u0007${'x'.repeat(2000)}` });
    expect(message).not.toMatch(/[\u0000-\u001f]/);
    expect(message!.length).toBeLessThanOrEqual(1_001);
    expect(taskOf({ ...working, statusMessage: '' })).toEqual({ id: 'a', status: 'working' });
  });

  it.each([{ pollInterval: 5 }, { pollIntervalMs: 5 }])('wants to be asked as %o says', (said) => {
    expect(taskOf({ ...working, ...said })).toMatchObject({ pollMs: 5 });
  });

  it('is named by a question that belongs to it', () => {
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'a' } };
    expect(relatedTask({ _meta })).toBe('a');
    expect(relatedTask({ _meta: { 'io.modelcontextprotocol/related-task': { taskId: 1 } } })).toBeUndefined();
    expect(relatedTask(undefined)).toBeUndefined();
  });
});
