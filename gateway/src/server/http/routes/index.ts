import type { Route } from '../route.ts';
import { changeAccess } from './access/change-access.ts';
import { getAccessMatrix } from './access/get-access-matrix.ts';
import { listAccess } from './access/list-access.ts';
import { listAccessOperations } from './access/list-access-operations.ts';
import { previewAccess } from './access/preview-access.ts';
import { removeAccess } from './access/remove-access.ts';
import { setAccess } from './access/set-access.ts';
import { setOwnAccess } from './access/set-own-access.ts';
import { checkApprovalEdit } from './approvals/check-approval-edit.ts';
import { decideApproval } from './approvals/decide-approval.ts';
import { getApproval } from './approvals/get-approval.ts';
import { getApprovalCount } from './approvals/get-approval-count.ts';
import { linkApproval } from './approvals/link-approval.ts';
import { listApprovalPeople } from './approvals/list-approval-people.ts';
import { listApprovals } from './approvals/list-approvals.ts';
import { listStandingApprovals } from './approvals/list-standing-approvals.ts';
import { revokeStandingApproval } from './approvals/revoke-standing-approval.ts';
import { getArtifact } from './artifacts/get-artifact.ts';
import { getArtifactDescription } from './artifacts/get-artifact-description.ts';
import { listArtifacts } from './artifacts/list-artifacts.ts';
import { removeArtifact } from './artifacts/remove-artifact.ts';
import { acceptCatalog } from './catalog/accept-catalog.ts';
import { getCatalog } from './catalog/get-catalog.ts';
import { getCatalogDiff } from './catalog/get-catalog-diff.ts';
import { getCatalogReport } from './catalog/get-catalog-report.ts';
import { getSource } from './catalog/get-source.ts';
import { getSourceOptions } from './catalog/get-source-options.ts';
import { keepSourceDocument } from './catalog/keep-source-document.ts';
import { listSources } from './catalog/list-sources.ts';
import { refreshSource } from './catalog/refresh-source.ts';
import { rejectCatalog } from './catalog/reject-catalog.ts';
import { removeSource } from './catalog/remove-source.ts';
import { saveSource } from './catalog/save-source.ts';
import { chat } from './chat/chat.ts';
import { createConnectSession } from './connections/create-connect-session.ts';
import { createConnection } from './connections/create-connection.ts';
import { getConnection } from './connections/get-connection.ts';
import { listActingUsers } from './connections/list-acting-users.ts';
import { listConnections } from './connections/list-connections.ts';
import { reconnectConnection } from './connections/reconnect-connection.ts';
import { removeActingUser } from './connections/remove-acting-user.ts';
import { removeConnection } from './connections/remove-connection.ts';
import { setActingUser } from './connections/set-acting-user.ts';
import { updateConnection } from './connections/update-connection.ts';
import { getCall } from './events/get-call.ts';
import { listEvents } from './events/list-events.ts';
import { listFeatures } from './features/list-features.ts';
import { setFeature } from './features/set-feature.ts';
import { createKey } from './keys/create-key.ts';
import { getKey } from './keys/get-key.ts';
import { listKeys } from './keys/list-keys.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { createOrganisation } from './organisations/create-organisation.ts';
import { getOrganisation } from './organisations/get-organisation.ts';
import { listOrganisations } from './organisations/list-organisations.ts';
import { removeOrganisation } from './organisations/remove-organisation.ts';
import { updateOrganisation } from './organisations/update-organisation.ts';
import { sendAtsProxyRequest } from './proxy/send-ats-proxy-request.ts';
import { sendProxyRequest } from './proxy/send-proxy-request.ts';
import { getConfig } from './server/get-config.ts';
import { getConfiguration } from './server/get-configuration.ts';
import { getFindings } from './server/get-findings.ts';
import { getOpenapi } from './server/get-openapi.ts';
import { getSkillsConfig } from './server/get-skills-config.ts';
import { addSessionApprover } from './sessions/add-session-approver.ts';
import { closeSession } from './sessions/close-session.ts';
import { endSession } from './sessions/end-session.ts';
import { getSession } from './sessions/get-session.ts';
import { getSignInLink } from './sessions/get-sign-in-link.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { openSession } from './sessions/open-session.ts';
import { getSkill } from './skills/get-skill.ts';
import { importSkills, importTeacherSkills } from './skills/import-skills.ts';
import { listSkillVersions } from './skills/list-skill-versions.ts';
import { listSkills } from './skills/list-skills.ts';
import { removeSkill } from './skills/remove-skill.ts';
import { restoreSkill } from './skills/restore-skill.ts';
import { callTool } from './tools/call-tool.ts';
import { explainTool } from './tools/explain-tool.ts';
import { getTokens } from './tools/get-tokens.ts';
import { getTool } from './tools/get-tool.ts';
import { listOperations } from './tools/list-operations.ts';
import { listTools } from './tools/list-tools.ts';
import { queryOperations } from './tools/query-operations.ts';
import { listBudgets } from './usage/list-budgets.ts';
import { queryUsage } from './usage/query-usage.ts';
import { createUser } from './users/create-user.ts';
import { getUser } from './users/get-user.ts';
import { listRoles } from './users/list-roles.ts';
import { listUsers } from './users/list-users.ts';
import { removeRole } from './users/remove-role.ts';
import { removeUser } from './users/remove-user.ts';
import { setRole } from './users/set-role.ts';
import { updateUser } from './users/update-user.ts';

/** The HTTP API. A new route is one file, in the folder of its tag, and one line here. */
export const ROUTES: readonly Route[] = [
  getOpenapi,
  getConfig,
  getConfiguration,
  getSkillsConfig,
  getSession,
  getSignInLink,
  openSession,
  closeSession,
  addSessionApprover,
  listSessions,
  endSession,
  getFindings,
  listTools,
  getTool,
  callTool,
  queryOperations,
  listOperations,
  getTokens,
  chat,
  explainTool,
  listEvents,
  getCall,
  listSources,
  getSource,
  saveSource,
  removeSource,
  refreshSource,
  getSourceOptions,
  keepSourceDocument,
  getCatalog,
  getCatalogReport,
  getCatalogDiff,
  acceptCatalog,
  rejectCatalog,
  listArtifacts,
  getArtifact,
  getArtifactDescription,
  removeArtifact,
  sendProxyRequest,
  sendAtsProxyRequest,
  listOrganisations,
  createOrganisation,
  getOrganisation,
  updateOrganisation,
  removeOrganisation,
  listUsers,
  createUser,
  getUser,
  updateUser,
  removeUser,
  listRoles,
  setRole,
  removeRole,
  listKeys,
  createKey,
  getKey,
  revokeKey,
  listAccess,
  setAccess,
  setOwnAccess,
  removeAccess,
  getAccessMatrix,
  listAccessOperations,
  previewAccess,
  changeAccess,
  listConnections,
  createConnection,
  getConnection,
  updateConnection,
  removeConnection,
  listActingUsers,
  setActingUser,
  removeActingUser,
  createConnectSession,
  reconnectConnection,
  queryUsage,
  listBudgets,
  listFeatures,
  setFeature,
  listSkills,
  importSkills,
  importTeacherSkills,
  getSkill,
  removeSkill,
  listSkillVersions,
  restoreSkill,
  listApprovals,
  getApprovalCount,
  listApprovalPeople,
  listStandingApprovals,
  revokeStandingApproval,
  getApproval,
  checkApprovalEdit,
  decideApproval,
  linkApproval,
];
