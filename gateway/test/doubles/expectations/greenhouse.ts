import type { OperationTable, WireRules } from '../operation-table.ts';

/** Harvest v1: the acting user is a header of every write. */
export const GREENHOUSE_RULES: WireRules = {
  arrays: 'comma',
  actingUser: { in: 'header', name: 'On-Behalf-Of' },
};

const candidate = { id: 53883394 };
const application = { id: 69306314 };
const interview = { id: 7163 };
const paging = { per_page: 50, page: 2 };

/** The 31 operations of Harvest v1, with a sample each that uses every parameter. */
export const GREENHOUSE_OPERATIONS: OperationTable = {
  list_candidates: {
    route: 'GET /candidates',
    query: {
      job_id: 107761,
      created_before: '2026-03-01T00:00:00Z',
      created_after: '2026-01-01T00:00:00Z',
      updated_before: '2026-04-01T00:00:00Z',
      updated_after: '2026-01-02T00:00:00Z',
      email: 'maria.silva+jobs@example.com',
      ...paging,
    },
  },
  get_candidate: { route: 'GET /candidates/{id}', path: candidate },
  create_candidate: {
    route: 'POST /candidates',
    actingUser: 'required',
    required: ['first_name', 'last_name'],
    body: {
      first_name: 'Nadia',
      last_name: 'Öztürk',
      company: 'Ferry & Sons',
      title: 'Naval architect',
      phone_numbers: [{ value: '+49 30 5550101', type: 'mobile' }],
      email_addresses: [{ value: 'nadia@example.com', type: 'personal' }],
      tags: ['ships', 'steel'],
      applications: [{ job_id: 107761 }],
    },
  },
  update_candidate: {
    route: 'PATCH /candidates/{id}',
    actingUser: 'required',
    path: candidate,
    body: { first_name: 'Maria', last_name: 'Silva', company: 'Docks Ltd', title: 'Rigger' },
  },
  delete_candidate: {
    route: 'DELETE /candidates/{id}',
    actingUser: 'required',
    path: candidate,
    dangerous: true,
  },
  anonymize_candidate: {
    route: 'PUT /candidates/{id}/anonymize',
    actingUser: 'required',
    path: candidate,
    query: { fields: ['full_name', 'emails'] },
    dangerous: true,
  },
  add_candidate_note: {
    route: 'POST /candidates/{id}/activity_feed/notes',
    actingUser: 'required',
    required: ['user_id', 'body'],
    path: candidate,
    body: { user_id: 158104, body: 'Met at the fair.', visibility: 'public' },
  },
  list_applications: {
    route: 'GET /applications',
    query: {
      job_id: 107761,
      status: 'active',
      created_before: '2026-03-01T00:00:00Z',
      created_after: '2026-01-01T00:00:00Z',
      ...paging,
    },
  },
  get_application: { route: 'GET /applications/{id}', path: application },
  create_application: {
    route: 'POST /candidates/{candidate_id}/applications',
    actingUser: 'required',
    required: ['job_id'],
    path: { candidate_id: 53883394 },
    body: {
      job_id: 107762,
      source_id: 2,
      referrer: { type: 'id', value: '158104' },
      initial_stage_id: 708728,
    },
  },
  advance_application: {
    route: 'POST /applications/{id}/advance',
    actingUser: 'required',
    required: ['from_stage_id'],
    path: application,
    body: { from_stage_id: 708728 },
  },
  move_application: {
    route: 'POST /applications/{id}/move',
    actingUser: 'required',
    required: ['to_stage_id'],
    path: application,
    body: { from_stage_id: 708728, to_stage_id: 708729 },
  },
  transfer_application: {
    route: 'POST /applications/{id}/transfer_to_job',
    actingUser: 'required',
    required: ['new_job_id'],
    path: application,
    body: { new_job_id: 107762, new_stage_id: 708731 },
  },
  reject_application: {
    route: 'POST /applications/{id}/reject',
    actingUser: 'required',
    path: application,
    body: {
      rejection_reason_id: 4014,
      notes: 'Took another offer.',
      rejection_email: { send_email_at: '2026-05-04T08:00:00Z', email_template_id: 42 },
    },
  },
  unreject_application: {
    route: 'POST /applications/{id}/unreject',
    actingUser: 'required',
    path: application,
  },
  hire_application: {
    route: 'POST /applications/{id}/hire',
    actingUser: 'required',
    path: application,
    body: { start_date: '2026-06-01', opening_id: 5551, close_reason_id: 1 },
  },
  list_jobs: {
    route: 'GET /jobs',
    query: { status: 'open', department_id: 25907, office_id: 47012, ...paging },
  },
  get_job: { route: 'GET /jobs/{id}', path: { id: 107761 } },
  get_job_stages: { route: 'GET /jobs/{id}/stages', path: { id: 107761 } },
  get_hiring_team: { route: 'GET /jobs/{id}/hiring_team', path: { id: 107761 } },
  list_scorecards: {
    route: 'GET /scorecards',
    query: {
      application_id: 69306314,
      interview_id: 7163,
      created_after: '2026-01-01T00:00:00Z',
      updated_after: '2026-01-02T00:00:00Z',
      ...paging,
    },
  },
  get_scorecard: { route: 'GET /scorecards/{id}', path: { id: 9001 } },
  list_scheduled_interviews: {
    route: 'GET /scheduled_interviews',
    query: {
      application_id: 69306314,
      job_id: 107761,
      starts_before: '2026-07-01T00:00:00Z',
      starts_after: '2026-01-01T00:00:00Z',
      ...paging,
    },
  },
  get_scheduled_interview: { route: 'GET /scheduled_interviews/{id}', path: interview },
  create_scheduled_interview: {
    route: 'POST /applications/{application_id}/scheduled_interviews',
    actingUser: 'required',
    required: ['user_id', 'start', 'end'],
    path: { application_id: 69306314 },
    body: {
      user_id: 158104,
      start: { date_time: '2026-05-04T09:00:00Z' },
      end: { date_time: '2026-05-04T10:00:00Z' },
      interview_id: 31,
    },
  },
  update_scheduled_interview: {
    route: 'PATCH /scheduled_interviews/{id}',
    actingUser: 'required',
    path: interview,
    body: { start: { date_time: '2026-05-05T09:00:00Z' }, end: { date_time: '2026-05-05T10:00:00Z' } },
  },
  delete_scheduled_interview: {
    route: 'DELETE /scheduled_interviews/{id}',
    actingUser: 'required',
    path: interview,
  },
  list_sources: { route: 'GET /sources' },
  list_rejection_reasons: { route: 'GET /rejection_reasons' },
  list_departments: { route: 'GET /departments' },
  list_offices: { route: 'GET /offices' },
};
