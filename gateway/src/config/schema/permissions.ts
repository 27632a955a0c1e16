import { z } from 'zod';
import { selectorShape } from './selector.ts';
import { closed, duration, lifetime, text } from './values.ts';

const names = z.array(text).max(1000);

const rule = closed({
  ...selectorShape,
  permissions: names.describe('All of them; an empty list takes away what the document asks for.'),
}).refine(
  ({ permissions: _permissions, ...selector }) => Object.values(selector).some((part) => part !== undefined),
  'Name at least one of operation, tag, path, method.',
);

const probe = closed({
  path: z
    .string()
    .regex(/^\/[^?#\\\s]*$/, 'A path below the base URL begins with "/" and has no query.')
    .refine((path) => !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path), 'The path leaves the base URL.')
    .describe('GET, with the credential of the source.'),
  roles: z
    .string()
    .regex(/^(\/|$)/, 'Is no JSON Pointer (RFC 6901).')
    .optional()
    .describe('JSON Pointer to the list of roles in the answer. Default: /roles.'),
  ttl: lifetime.optional().describe('How long an answer counts. Default: 5m.'),
  timeout: duration.optional().describe('Default: 5s.'),
});

/** `sources: { ceph: { permissions: … } }`. */
export const permissionsShape = z.union([
  z.literal(false).describe('Permissions that the document names are not asked for.'),
  closed({
    extension: z
      .string()
      .regex(/^x-[\w.-]{1,100}$/, "An extension's name begins with x-.")
      .optional()
      .describe('Where an operation of the document names its permissions. Default: x-required-permissions.'),
    scopes: z.boolean().optional().describe('OAuth scopes count as permissions, too. Default: false.'),
    rules: z.array(rule).max(1000).optional().describe('The last rule that matches decides.'),
    probe: probe.optional().describe('Asks the service which roles the account has.'),
    adminOnlyTags: names.optional().describe('Only holders of adminRoles see category tools of these tags.'),
    adminRoles: names.optional().describe('Hold every permission. Default: ADMIN, ADMINISTRATOR.'),
  }),
]);
