import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';

export type Era = 'legacy' | 'modern';

/** A client of the gateway, with what it heard. */
export interface Connected {
  readonly client: Client;
  readonly era: Era;
  readonly heard: {
    readonly logs: unknown[];
    readonly toolLists: unknown[];
    readonly updates: unknown[];
  };
}

/** What has to pass between a client and an upstream. Rejects where it does not. */
export type Feature = (connected: Connected) => Promise<void>;

const textOf = (result: unknown): string =>
  (result as { content: Array<{ text?: string }> }).content.map(({ text }) => text).join(' ');

/** Since 2026-07-28 a request says itself which log lines it wants; before, the session did. */
const LOG_LEVEL = { 'io.modelcontextprotocol/logLevel': 'debug' };

export const FEATURES: Readonly<Record<string, Feature>> = {
  'tool calls': async ({ client }) => {
    const result = await client.callTool({ name: 'up_echo', arguments: { text: 'hi' } });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: { said: 'hi' },
    });
  },
  progress: async ({ client }) => {
    const steps: unknown[] = [];
    await client.callTool({ name: 'up_steps' }, { onprogress: ({ message }) => void steps.push(message) });
    expect(steps).toEqual(['step 1', 'step 2', 'step 3']);
  },
  cancellation: async ({ client }) => {
    const cancelled = async () => JSON.parse(textOf(await client.callTool({ name: 'up_counts' }))).cancelled;
    const before = await cancelled();
    const leaving = new AbortController();
    const call = client.callTool(
      { name: 'up_waits' },
      { signal: leaving.signal, onprogress: () => leaving.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect.poll(cancelled).toBe(before + 1);
  },
  logging: async ({ client, era, heard }) => {
    if (era === 'legacy') await client.setLoggingLevel('debug');
    await client.callTool({ name: 'up_logs', ...(era === 'modern' ? { _meta: LOG_LEVEL } : {}) });
    await expect
      .poll(() => heard.logs)
      .toContainEqual(expect.objectContaining({ level: 'warning', data: { line: 'from the fixture' } }));
  },
  resources: async ({ client }) => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('fixture://plain');
    const { contents } = await client.readResource({ uri: 'fixture://plain' });
    expect(contents).toMatchObject([{ uri: 'fixture://plain', text: 'content of fixture://plain' }]);
  },
  'linked resources': async ({ client }) => {
    const { content } = await client.callTool({ name: 'up_links' });
    expect(content).toMatchObject([{ type: 'resource_link', uri: 'hidden://page' }]);
    const { contents } = await client.readResource({ uri: 'hidden://page' });
    expect(contents).toMatchObject([{ text: 'content of hidden://page' }]);
  },
  'resource templates': async ({ client }) => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'fixture://items/{id}' }]);
    const { contents } = await client.readResource({ uri: 'fixture://items/7' });
    expect(contents).toMatchObject([{ text: 'content of fixture://items/7' }]);
  },
  'resource updates': async ({ client, era, heard }) => {
    const uri = 'fixture://watched';
    const subscription = era === 'modern' ? await client.listen({ resourceSubscriptions: [uri] }) : undefined;
    if (era === 'legacy') await client.subscribeResource({ uri });
    await expect
      .poll(async () => {
        await client.callTool({ name: 'up_touches' });
        return heard.updates;
      })
      .toContainEqual(expect.objectContaining({ uri }));
    await subscription?.close();
    if (era === 'legacy') await client.unsubscribeResource({ uri });
  },
  prompts: async ({ client }) => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['greet']);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
    expect(messages).toMatchObject([{ role: 'user', content: { text: 'Greet Ada.' } }]);
  },
  completion: async ({ client }) => {
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
    });
    expect(completion.values).toEqual(['Ada', 'Alan']);
  },
  elicitation: async ({ client }) => {
    expect(textOf(await client.callTool({ name: 'up_asks' }))).toBe('Hello, Ada! asked');
  },
  sampling: async ({ client }) => {
    expect(textOf(await client.callTool({ name: 'up_samples' }))).toBe('It said hello');
  },
  roots: async ({ client }) => {
    expect(textOf(await client.callTool({ name: 'up_roots' }))).toContain('file:///work');
  },
  'list changes': async ({ client, era, heard }) => {
    const subscription = era === 'modern' ? await client.listen({ toolsListChanged: true }) : undefined;
    await client.callTool({ name: 'up_grows' });
    await expect.poll(() => heard.toolLists.length).toBeGreaterThan(0);
    await expect
      .poll(async () => (await client.listTools()).tools.map(({ name }) => name))
      .toContain('up_extra');
    await subscription?.close();
  },
};
