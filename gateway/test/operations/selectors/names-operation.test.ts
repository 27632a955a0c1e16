import { expect, it } from 'vitest';
import { namesOperation } from '../../../src/operations/selectors/names-operation.ts';

it.each([
  ['office365.SendEmailV2', 'office365.SendEmailV2', true],
  ['office365.SendEmailV2', 'office365.SendEmailV3', false],
  ['office365.*', 'office365.SendEmailV2', true],
  ['office365.*', 'office365-work.SendEmailV2', false],
  ['office365.*', 'office365', false],
  ['office365*', 'office365.SendEmailV2', false],
  ['*.SendEmailV2', 'office365.SendEmailV2', false],
  ['*', 'office365.SendEmailV2', false],
  ['my.team.*', 'my.team.Post', true],
  ['my.*', 'my.team.Post', true],
  ['get.*', 'get.*', true],
])('%s names %s: %s', (named, id, expected) => {
  expect(namesOperation(named, id)).toBe(expected);
});
