export { createSourceRoles } from './create-source-roles.ts';
export type { ProbedRoles, RoleProbe } from './role-probe.ts';
export { withServiceRoles } from './service-grants.ts';
