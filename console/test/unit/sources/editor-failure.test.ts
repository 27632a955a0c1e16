import { expect, it } from 'vitest';
import { ApiError, UnreachableError } from '../../../src/api/api-error.ts';
import { editorFailure } from '../../../src/pages/sources/editor-failure.ts';

const refused = (status: number) => new ApiError(status, { code: 'x', message: 'No.' });

it.each([
  ['check', refused(400), 'This cannot be added as it is', 'This cannot be saved as it is'],
  ['check', refused(409), 'This cannot be added as it is', 'This cannot be saved as it is'],
  ['check', refused(403), 'It could not be checked', 'It could not be checked'],
  ['check', refused(500), 'It could not be checked', 'It could not be checked'],
  ['check', new UnreachableError('change'), 'It could not be checked', 'It could not be checked'],
  ['save', refused(409), 'The source was not added', 'The source was not changed'],
  [
    'save',
    new UnreachableError('change'),
    'It is not known whether the source was added',
    'It is not known whether the source was changed',
  ],
] as const)('a %s that ended with %s says: %s', (what, error, added, changed) => {
  const failed = { check: null, save: null, [what]: error };
  expect(editorFailure({ ...failed, replace: false })).toBe(added);
  expect(editorFailure({ ...failed, replace: true })).toBe(changed);
});
