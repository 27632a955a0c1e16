import { describe, expect, it } from 'vitest';
import type { CallChannel, InputRequest, UntrustedRule } from '../../../src/operations/index.ts';
import { hardenChannel } from '../../../src/results/untrusted/harden-channel.ts';
import {
  hardenCompletion,
  hardenPrompt,
  hardenResource,
} from '../../../src/results/untrusted/harden-reads.ts';

/** What upstream servers say beside their results. */

const RULE: UntrustedRule = { label: true, clean: true, markdown: 'defang', hosts: [] };
const LOOSE: UntrustedRule = { ...RULE, label: false, clean: false, markdown: 'keep' };
const HIDDEN = 'a\u200b\u{e0041}b';
const IMAGE = '![x](https://evil.example/y)';

function heard(rule: UntrustedRule) {
  const said: unknown[] = [];
  const channel = {
    ask: async (question: unknown) => void said.push(question),
    log: (...words: unknown[]) => void said.push(words),
    progress: (...words: unknown[]) => void said.push(words),
  } as unknown as CallChannel;
  return { said, channel: hardenChannel(channel, 'shed', rule) };
}

const question = (method: string, params: object) => ({ method, params }) as unknown as InputRequest;

describe('the channel of a call', () => {
  it('says nothing that is hidden, and who asks a person', async () => {
    const { said, channel } = heard(RULE);
    const { signal } = new AbortController();
    await channel.ask!(question('elicitation/create', { message: HIDDEN, other: [HIDDEN] }), signal);
    await channel.ask!(question('sampling/createMessage', { message: HIDDEN }), signal);
    channel.log!('info', { text: HIDDEN }, HIDDEN);
    channel.progress!(1, 2, HIDDEN);
    expect(said).toEqual([
      question('elicitation/create', { message: 'The server "shed" asks: ab', other: ['ab'] }),
      question('sampling/createMessage', { message: 'ab' }),
      ['info', { text: 'ab' }, 'ab'],
      [1, 2, 'ab'],
    ]);
  });

  it('leaves it as it is where the operator says so', async () => {
    const { said, channel } = heard(LOOSE);
    const asked = question('elicitation/create', { message: HIDDEN });
    await channel.ask!(asked, new AbortController().signal);
    channel.log!('info', HIDDEN, undefined);
    channel.progress!(1, undefined, HIDDEN);
    expect(said).toEqual([asked, ['info', HIDDEN, undefined], [1, undefined, HIDDEN]]);
  });

  it('has no more ways than it had', () => {
    expect(hardenChannel({} as CallChannel, 'shed', RULE)).toEqual({});
  });
});

describe('what is read of an upstream server', () => {
  const own = { 'toolcrib/untrusted': { untrusted: false } };
  const resource = { uri: 'shed://a', text: `${HIDDEN} ${IMAGE}`, _meta: own };

  it('a resource is cleaned and labelled, its Markdown stays; it labels nothing itself', () => {
    expect(hardenResource(resource, 'shed', RULE)).toEqual({
      uri: 'shed://a',
      text: `ab ${IMAGE}`,
      _meta: { 'toolcrib/untrusted': { untrusted: true, source: 'shed' } },
    });
    expect(hardenResource(resource, 'shed', { ...RULE, label: false })).toEqual({
      uri: 'shed://a',
      text: `ab ${IMAGE}`,
      _meta: {},
    });
    expect(hardenResource(resource, 'shed', undefined)).toEqual({ ...resource, _meta: {} });
    const bytes = { uri: 'shed://b', blob: 'AA==' };
    expect(hardenResource(bytes, 'shed', { ...RULE, label: false })).toEqual(bytes);
  });

  it('a prompt is cleaned as text of results is, JSON as data', () => {
    const message = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const;
    const json = `{"a":"${IMAGE}"}`;
    const prompt = { description: HIDDEN, messages: [message(`${HIDDEN} ${IMAGE}`), message(json)] };
    expect(hardenPrompt(prompt, RULE)).toEqual({
      description: 'ab',
      messages: [message('ab (image: x, from evil.example)'), message(json)],
    });
    expect(hardenPrompt(prompt, undefined)).toEqual(prompt);
  });

  it('a completion that is nothing but hidden text is none', () => {
    const completion = { values: [HIDDEN, '\u200b', ''] };
    expect(hardenCompletion(completion, RULE)).toEqual({ values: ['ab', ''] });
    expect(hardenCompletion(completion, undefined)).toBe(completion);
  });

  it.each(['name', 'title', 'description'])('a link whose %s hides something is cleaned', (member) => {
    const link = { type: 'resource_link', uri: 'shed://a', name: 'a', title: 'b', description: 'c' } as const;
    const content = { ...link, [member]: HIDDEN };
    const prompt = { messages: [{ role: 'user', content } as const] };
    expect(hardenPrompt(prompt, RULE).messages[0]?.content).toEqual({ ...link, [member]: 'ab' });
  });
});
