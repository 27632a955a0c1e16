import type { OperationTable } from '../operation-table.ts';
import { BLOCKLISTED, BOTH, remove, write } from './greenhouse-v3-write.ts';

/** Below a blocklisted path: nobody reaches them, whatever their grade. */
export const GREENHOUSE_V3_BLOCKLISTED: OperationTable = {
  create_user: write(
    'POST /users',
    {
      first_name: 'Rahel',
      last_name: 'Adane',
      primary_email: 'rahel@example.com',
      send_email_invite: true,
      job_title: 'Recruiter',
      office_ids: [47012],
      department_ids: [25907],
    },
    ['first_name', 'last_name', 'primary_email'],
    BLOCKLISTED,
  ),
  update_user: write(
    'PATCH /users/{id}',
    {
      first_name: 'Rahel',
      last_name: 'Adane',
      job_title: 'Lead',
      primary_email: 'r.adane@example.com',
      office_ids: [47012],
      department_ids: [25907],
    },
    [],
    BLOCKLISTED,
  ),
  activate_user: write('POST /users/{id}/activate', undefined, [], BLOCKLISTED),
  deactivate_user: write('POST /users/{id}/deactivate', undefined, [], BOTH),
  revoke_user_permissions: write('POST /users/{id}/revoke_permissions', undefined, [], BOTH),
  add_user_email: write(
    'POST /user_emails',
    { user_id: 158104, email: 'rahel2@example.com', send_verification: true },
    ['user_id', 'email'],
    BLOCKLISTED,
  ),
  grant_job_permission: write('POST /user_job_permissions', undefined, [], BOTH),
  revoke_job_permission: remove('/user_job_permissions', BLOCKLISTED),
  create_custom_field: write(
    'POST /custom_fields',
    {
      name: 'Height',
      field_type: 'candidate',
      value_type: 'single_select',
      private: true,
      description: 'For the harness.',
      custom_field_options: [{ name: 'Tall', sort_order: 1, external_id: 't' }],
    },
    ['name', 'field_type', 'value_type'],
    BLOCKLISTED,
  ),
  update_custom_field: write(
    'PATCH /custom_fields/{id}',
    { name: 'Height', private: false, description: 'For the suit.' },
    [],
    BLOCKLISTED,
  ),
  delete_custom_field: remove('/custom_fields', BOTH),
  create_custom_field_option: write(
    'POST /custom_field_options',
    { custom_field_id: 7, name: 'Short', sort_order: 2, external_id: 's' },
    ['custom_field_id', 'name'],
    BLOCKLISTED,
  ),
  update_custom_field_option: write(
    'PATCH /custom_field_options/{id}',
    { name: 'Small', sort_order: 3, external_id: 's' },
    [],
    BLOCKLISTED,
  ),
  delete_custom_field_option: remove('/custom_field_options', BLOCKLISTED),
  create_webhook: write('POST /webhooks', undefined, [], BOTH),
  update_webhook: write('PATCH /webhooks/{id}', undefined, [], BOTH),
  delete_webhook: remove('/webhooks', BLOCKLISTED),
};
