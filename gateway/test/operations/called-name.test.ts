import { expect, test } from 'vitest';
import { calledName } from '../../src/operations/called-name.ts';

test.each([
  ['issues_create', 'issues/create', 'issues_create'],
  ['github_issues_create', 'issues/create', 'github_issues_create'],
  ['call_endpoint', 'deleteOsd', 'deleteOsd (by call_endpoint)'],
  ['manage_osds', 'OsdResource_deleteOsd', 'OsdResource_deleteOsd (by manage_osds)'],
])('%s, which comes to %s, is shown as %s', (tool, operation, shown) => {
  expect(calledName(tool, operation)).toBe(shown);
});
