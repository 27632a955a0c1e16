import { expect, it } from 'vitest';
import type { UpstreamEvent } from '../../src/operations/index.ts';
import { createUnaskedNotice } from '../../src/upstreams/unasked-notice.ts';

it('tells once a minute that a shared server asked nobody, what it asked and what helps', () => {
  const told: UpstreamEvent[] = [];
  let time = 0;
  const tell = createUnaskedNotice(
    'crm',
    (event) => told.push(event),
    () => time,
  );
  tell('elicitation/create');
  time = 59_999;
  tell('elicitation/create');
  expect(told).toHaveLength(1);
  time = 60_000;
  tell(`roots/list\u001b[2J${'x'.repeat(200)}`);
  expect(told).toEqual([
    {
      type: 'upstream-unasked',
      source: 'crm',
      message: expect.stringMatching(
        /"crm" asked something \(elicitation\/create\) while more than one person.*`share: principal`/,
      ),
    },
    {
      type: 'upstream-unasked',
      source: 'crm',
      message: expect.stringMatching(/\(roots\/list[^\u001b]{1,80}\)/),
    },
  ]);
});
