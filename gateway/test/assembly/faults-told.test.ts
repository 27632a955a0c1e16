import { expect, it } from 'vitest';
import { faultsTold } from '../../src/assembly/faults-told.ts';
import { ToolcribError } from '../../src/errors.ts';

const away = () => new ToolcribError('store_unavailable', 'The store did not answer: ECONNREFUSED.');

function heard() {
  const lines: Array<readonly [string, number]> = [];
  let time = 1_000_000;
  const report = faultsTold(
    (_, what, untold) => void lines.push([what, untold]),
    () => time,
  );
  const later = (ms: number) => {
    time += ms;
  };
  return { lines, report, later };
}

it('tells a store that is away once in five minutes, and how often it was not told', () => {
  const { lines, report, later } = heard();
  for (let attempt = 0; attempt < 60; attempt++) {
    report(away(), 'Webhooks could not be delivered for now.');
    later(5000);
  }
  expect(lines).toEqual([['Webhooks could not be delivered for now.', 0]]);
  report(away(), 'Webhooks could not be delivered for now.');
  expect(lines.slice(1)).toEqual([['Webhooks could not be delivered for now.', 59]]);
});

it('tells what else fails at once: another fault of the store, and every fault of anything else', () => {
  const { lines, report } = heard();
  report(away(), 'An event could not be recorded.');
  report(
    new ToolcribError('store_unavailable', 'The store refused: its disk is full (53100).'),
    'An event could not be recorded.',
  );
  report(away(), 'Webhooks could not be delivered for now.');
  report(new Error('broken'), 'A listener failed.');
  report(new Error('broken'), 'A listener failed.');
  expect(lines.map(([what]) => what)).toEqual([
    'An event could not be recorded.',
    'An event could not be recorded.',
    'Webhooks could not be delivered for now.',
    'A listener failed.',
    'A listener failed.',
  ]);
});
