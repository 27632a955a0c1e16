import type { OperationTable } from '../operation-table.ts';
import { act, CUSTOM_FIELDS, remove, write } from './greenhouse-v3-write.ts';

/** Writes about jobs. */
export const GREENHOUSE_V3_JOBS: OperationTable = {
  create_job: write(
    'POST /jobs',
    {
      template_job_id: 107760,
      number_of_openings: 2,
      job_name: 'Crane operator',
      job_post_name: 'Crane operator (m/f/d)',
      department_id: 25907,
      office_ids: [47012],
      requisition_id: 'CRANE-7',
      opening_ids: ['REQ-1', 'REQ-2'],
      notes: 'Night shifts.',
      custom_fields: CUSTOM_FIELDS,
    },
    ['template_job_id', 'number_of_openings'],
  ),
  update_job: write('PATCH /jobs/{id}', {
    name: 'Senior crane operator',
    department_id: 25907,
    office_ids: [47012],
    requisition_id: 'CRANE-8',
    notes: 'Day shifts.',
    team_and_responsibilities: 'Port crew.',
    how_to_sell_this_job: 'Best view in town.',
    custom_fields: CUSTOM_FIELDS,
  }),
  create_opening: write(
    'POST /openings',
    { job_id: 107761, opening_id: 'REQ-3', custom_fields: CUSTOM_FIELDS },
    ['job_id'],
  ),
  update_opening: write('PATCH /openings/{id}', {
    job_id: 107761,
    status: 'closed',
    close_reason_id: 1,
    opening_id: 'REQ-3',
    target_start_on: '2026-06-01',
    custom_fields: CUSTOM_FIELDS,
  }),
  delete_opening: remove('/openings'),
  create_job_post: write('POST /job_posts', { job_post_id: 71, job_board_id: 81 }),
  update_job_post: write('PATCH /job_posts/{id}', {
    title: 'Crane operator',
    content: '<p>Lifts things.</p>',
    job_application_status: 'live',
  }),
  add_job_post_location: write(
    'POST /job_post_locations',
    { job_post_id: 71, type: 'office', value: '47012' },
    ['job_post_id', 'type', 'value'],
  ),
  remove_job_post_location: remove('/job_post_locations'),
  add_job_owner: write('POST /job_owners', { job_id: 107761, user_id: 158104, type: 'recruiter' }),
  remove_job_owner: remove('/job_owners'),
  add_hiring_manager: write('POST /job_hiring_managers', { job_id: 107761, user_id: 158104 }),
  remove_hiring_manager: remove('/job_hiring_managers'),
  create_job_note: write('POST /job_notes', {
    job_id: 107761,
    body: 'Budget agreed.',
    visibility: 'private',
  }),
  update_job_note: write('PATCH /job_notes/{id}', { body: 'Budget cut.', visibility: 'admin_only' }),
  delete_job_note: remove('/job_notes'),
  create_approval_flow: write('POST /approval_flows', {
    job_id: 107761,
    offer_id: 91,
    approval_type: 'open_job',
    sequential: true,
  }),
  request_approvals: act('/approval_flows/{id}/request_approvals'),
};

export const GREENHOUSE_V3_ORGANISATION: OperationTable = {
  create_department: write('POST /departments', { name: 'Port', parent_id: 3, external_id: 'd-1' }, ['name']),
  update_department: write('PATCH /departments/{id}', { name: 'Docks', parent_id: 3, external_id: 'd-2' }, [
    'name',
  ]),
  create_office: write('POST /offices', { name: 'Leith', parent_id: 3, external_id: 'o-1' }),
  update_office: write('PATCH /offices/{id}', { name: 'Leith East', parent_id: 3, external_id: 'o-2' }),
};
