import type { Route } from '../route.ts';
import { acceptCatalog } from './accept-catalog.ts';
import { addSessionApprover } from './add-session-approver.ts';
import { callTool } from './call-tool.ts';
import { changeAccess } from './change-access.ts';
import { chat } from './chat.ts';
import { checkApprovalEdit } from './check-approval-edit.ts';
import { closeSession } from './close-session.ts';
import { createConnectSession } from './create-connect-session.ts';
import { createConnection } from './create-connection.ts';
import { createKey } from './create-key.ts';
import { createOrganisation } from './create-organisation.ts';
import { createUser } from './create-user.ts';
import { decideApproval } from './decide-approval.ts';
import { endSession } from './end-session.ts';
import { explainTool } from './explain-tool.ts';
import { getAccessMatrix } from './get-access-matrix.ts';
import { getApproval } from './get-approval.ts';
import { getApprovalCount } from './get-approval-count.ts';
import { getArtifact } from './get-artifact.ts';
import { getArtifactDescription } from './get-artifact-description.ts';
import { getCall } from './get-call.ts';
import { getCatalog } from './get-catalog.ts';
import { getCatalogDiff } from './get-catalog-diff.ts';
import { getCatalogReport } from './get-catalog-report.ts';
import { getConfig } from './get-config.ts';
import { getConfiguration } from './get-configuration.ts';
import { getConnection } from './get-connection.ts';
import { getFindings } from './get-findings.ts';
import { getKey } from './get-key.ts';
import { getOpenapi } from './get-openapi.ts';
import { getOrganisation } from './get-organisation.ts';
import { getSession } from './get-session.ts';
import { getSkill } from './get-skill.ts';
import { getSkillsConfig } from './get-skills-config.ts';
import { getSource } from './get-source.ts';
import { getSourceOptions } from './get-source-options.ts';
import { getTokens } from './get-tokens.ts';
import { getTool } from './get-tool.ts';
import { getUser } from './get-user.ts';
import { importSkills, importTeacherSkills } from './import-skills.ts';
import { keepSourceDocument } from './keep-source-document.ts';
import { linkApproval } from './link-approval.ts';
import { listAccess } from './list-access.ts';
import { listAccessOperations } from './list-access-operations.ts';
import { listActingUsers } from './list-acting-users.ts';
import { listApprovals } from './list-approvals.ts';
import { listArtifacts } from './list-artifacts.ts';
import { listBudgets } from './list-budgets.ts';
import { listConnections } from './list-connections.ts';
import { listEvents } from './list-events.ts';
import { listFeatures } from './list-features.ts';
import { listKeys } from './list-keys.ts';
import { listOperations } from './list-operations.ts';
import { listOrganisations } from './list-organisations.ts';
import { listRoles } from './list-roles.ts';
import { listSessions } from './list-sessions.ts';
import { listSkillVersions } from './list-skill-versions.ts';
import { listSkills } from './list-skills.ts';
import { listSources } from './list-sources.ts';
import { listStandingApprovals } from './list-standing-approvals.ts';
import { listTools } from './list-tools.ts';
import { listUsers } from './list-users.ts';
import { openSession } from './open-session.ts';
import { previewAccess } from './preview-access.ts';
import { queryOperations } from './query-operations.ts';
import { queryUsage } from './query-usage.ts';
import { reconnectConnection } from './reconnect-connection.ts';
import { refreshSource } from './refresh-source.ts';
import { rejectCatalog } from './reject-catalog.ts';
import { removeAccess } from './remove-access.ts';
import { removeActingUser } from './remove-acting-user.ts';
import { removeArtifact } from './remove-artifact.ts';
import { removeConnection } from './remove-connection.ts';
import { removeOrganisation } from './remove-organisation.ts';
import { removeRole } from './remove-role.ts';
import { removeSkill } from './remove-skill.ts';
import { removeSource } from './remove-source.ts';
import { removeUser } from './remove-user.ts';
import { restoreSkill } from './restore-skill.ts';
import { revokeKey } from './revoke-key.ts';
import { revokeStandingApproval } from './revoke-standing-approval.ts';
import { saveSource } from './save-source.ts';
import { sendAtsProxyRequest } from './send-ats-proxy-request.ts';
import { sendProxyRequest } from './send-proxy-request.ts';
import { setAccess } from './set-access.ts';
import { setActingUser } from './set-acting-user.ts';
import { setFeature } from './set-feature.ts';
import { setOwnAccess } from './set-own-access.ts';
import { setRole } from './set-role.ts';
import { updateConnection } from './update-connection.ts';
import { updateOrganisation } from './update-organisation.ts';
import { updateUser } from './update-user.ts';

/** The HTTP API. A new route is one file and one line here. */
export const ROUTES: readonly Route[] = [
  getOpenapi,
  getConfig,
  getConfiguration,
  getSkillsConfig,
  getSession,
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
  listStandingApprovals,
  revokeStandingApproval,
  getApproval,
  checkApprovalEdit,
  decideApproval,
  linkApproval,
];
