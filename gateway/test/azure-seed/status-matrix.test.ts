import { describe, expect, it } from 'vitest';
import { CONSENT, consentAt, jsonOf, linkIn, MARK, textOf } from './support/office.ts';
import { smallOffice as office } from './support/small-office.ts';

describe('the status matrix (seed §7.1)', () => {
  const statuses = [
    { name: 'connected', api: 'post', status: 'Connected' },
    { name: 'older', api: 'post', status: 'Connected', shape: 'statuses-only' },
    { name: 'error', api: 'post', status: 'Error' },
    { name: 'disabled', api: 'post', status: 'Connected', state: 'Disabled' },
    { name: 'starting', api: 'post', status: 'Initializing' },
    { name: 'ready', api: 'post', status: 'Ready' },
  ] as const;
  const matrix = () => office({ arm: { connections: statuses } });
  const tool = (name: string) => `post_${name}_read_post`;

  it.each([
    ['Connected', 'connected', false],
    ['Connected, said by statuses alone', 'older', false],
    ['Error', 'error', true],
    ['another word (Initializing)', 'starting', true],
    ['another word (Ready)', 'ready', true],
  ])('%s: its tools are registered; the mark: %s %s', async (_status, name, marked) => {
    const one = await matrix();
    const description = one.descriptionOf(tool(name));
    expect(description).toMatch(/^\[The post service\] ReadPost of post/);
    expect(description!.includes(MARK)).toBe(marked);
  });

  it('Disabled: skipped, and said to be so by list_connections', async () => {
    const one = await matrix();
    expect(one.names()).not.toContain(tool('disabled'));
    await expect(one.gateway.call({ tool: tool('disabled') })).rejects.toMatchObject({
      code: 'tool_unknown',
    });
    const rows = jsonOf(await one.call('list_connections')) as {
      name: string;
      status: string;
      tools: number;
    }[];
    expect(rows.find(({ name }) => name === 'disabled')).toMatchObject({ status: 'Disabled', tools: 0 });
    expect(rows.find(({ name }) => name === 'starting')).toMatchObject({ status: 'Initializing', tools: 2 });
  });

  it.each([
    ['Connected', 'connected', true],
    ['Error', 'error', false],
    ['Initializing', 'starting', false],
    ['Ready, where Azure lets the call through', 'ready', true],
  ])('%s: the call of %s works: %s', async (_status, name, works) => {
    const one = await matrix();
    const result = await one.call(tool(name));
    if (works) expect(result.error).toBeUndefined();
    else expect(textOf(result)).toMatch(CONSENT);
    // an answer shows that somebody is signed in, whatever the word was
    if (works) await one.until(() => !one.descriptionOf(tool(name))!.includes(MARK));
  });

  it('after the consent the next call works and the mark goes, without restart', async () => {
    const one = await matrix();
    await consentAt(linkIn(textOf(await one.call(tool('error')))));
    expect((await one.call(tool('error'))).error).toBeUndefined();
    await one.until(() => !one.descriptionOf(tool('error'))!.includes(MARK));
    expect(one.descriptionOf(tool('starting'))).toContain(MARK);
  });
});
