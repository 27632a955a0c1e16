import { expect, it } from 'vitest';
import { isOwnedBy } from '../../src/artifacts/owner.ts';

const ANN = '{"user":"ann"}';
const WITHIN = '{"user":"ann","sources":';

it.each<[string | undefined, object, boolean]>([
  [ANN, { owner: ANN }, true],
  [`${WITHIN}["stock"]}`, { owner: ANN }, false],
  [`${WITHIN}["stock"]}`, { owner: ANN, ownersWithin: WITHIN }, true],
  ['{"user":"annabel"}', { owner: ANN, ownersWithin: WITHIN }, false],
  ['{"user":"bob","sources":["stock"]}', { owner: ANN, ownersWithin: WITHIN }, false],
  // what belongs to nobody is nobody's
  [undefined, { owner: ANN, ownersWithin: '' }, false],
  [undefined, {}, false],
])('%j is one of those of %j: %j', (whose, asked, expected) => {
  expect(isOwnedBy(whose, asked)).toBe(expected);
});
