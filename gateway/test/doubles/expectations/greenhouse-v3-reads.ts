import type { DocumentedOperation, OperationTable, QueryValues } from '../operation-table.ts';

const SINCE = 'gte|2026-01-01T00:00:00Z';
const BEFORE = 'lt|2026-07-01T00:00:00Z';
const IDS = [11, 12];

/** A list with the parameters that every list takes (but `cursor`, which stands alone) and its own filters. */
function list(path: string, filters: QueryValues = {}): DocumentedOperation {
  return {
    route: `GET ${path}`,
    query: {
      per_page: 50,
      ids: [53883394, 53883395],
      created_at: SINCE,
      updated_at: BEFORE,
      fields: ['id', 'updated_at'],
      ...filters,
    },
  };
}

const blocked = (operation: DocumentedOperation): DocumentedOperation => ({
  ...operation,
  blocklisted: true,
});

/** The reads of Harvest v3, with a sample each that uses every parameter. */
export const GREENHOUSE_V3_READS: OperationTable = {
  list_candidates: list('/candidates', {
    last_activity_at: SINCE,
    custom_field_option_id: 7,
    private: false,
    email: 'maria.silva+jobs@example.com',
    tag: 'night shift',
  }),
  list_applications: list('/applications', {
    candidate_ids: IDS,
    job_ids: IDS,
    prospective_job_ids: IDS,
    job_post_ids: IDS,
    source_ids: IDS,
    referrer_ids: IDS,
    stage_ids: IDS,
    status: 'active',
    stage_name: 'Phone & video',
    custom_field_option_id: 7,
    last_activity_at: SINCE,
    prospect: true,
  }),
  list_application_stages: list('/application_stages', {
    application_ids: IDS,
    job_interview_stage_ids: IDS,
    current: true,
  }),
  list_jobs: list('/jobs', {
    opened_at: SINCE,
    closed_at: BEFORE,
    requisition_id: 'CRANE-7',
    department_id: 25907,
    office_id: 47012,
    custom_field_option_id: 7,
    confidential: false,
    status: 'draft',
  }),
  list_job_posts: list('/job_posts', {
    job_ids: IDS,
    job_board_ids: IDS,
    active: true,
    featured: false,
    live: true,
    internal: false,
  }),
  list_job_post_locations: list('/job_post_locations', {
    office_ids: IDS,
    job_post_ids: IDS,
    custom_location_ids: IDS,
    type: 'free_text',
    plain_text_location: 'Leith, Pier 4',
  }),
  list_job_boards: list('/job_boards', { internal: true, live: false }),
  list_job_interview_stages: list('/job_interview_stages', { job_ids: IDS, active: true }),
  list_job_interviews: list('/job_interviews', {
    job_interview_stage_ids: IDS,
    job_ids: IDS,
    active: true,
    scheduling_type: 'needs_scheduling',
  }),
  list_job_hiring_managers: list('/job_hiring_managers', { user_ids: IDS, job_ids: IDS }),
  list_job_owners: list('/job_owners', { user_ids: IDS, job_ids: IDS, type: 'sourcer' }),
  list_job_notes: list('/job_notes', { job_ids: IDS, user_ids: IDS, visibility: 'privately_visible' }),
  list_openings: list('/openings', {
    job_ids: IDS,
    application_ids: IDS,
    close_reason_ids: IDS,
    opened_at: SINCE,
    closed_at: BEFORE,
    custom_field_option_id: 7,
    open: true,
    opening_id: 'REQ-1',
  }),
  list_close_reasons: list('/close_reasons'),
  list_offers: list('/offers', {
    application_ids: IDS,
    job_ids: IDS,
    candidate_ids: IDS,
    opening_ids: IDS,
    current_only: true,
    custom_field_option_id: 7,
    status: 'Accepted',
    resolved_at: SINCE,
    sent_on: 'gte|2026-01-01',
    starts_on: 'lte|2026-12-31',
  }),
  list_scorecards: list('/scorecards', {
    interview_kit_ids: IDS,
    submitter_ids: IDS,
    application_ids: IDS,
    interviewer_ids: IDS,
    interviewed_at: SINCE,
    submitted_at: BEFORE,
    status: 'complete',
  }),
  list_scorecard_questions: list('/scorecard_questions', { interview_kit_ids: IDS, active: true }),
  list_scorecard_question_answers: list('/scorecard_question_answers', {
    scorecard_ids: IDS,
    scorecard_question_ids: IDS,
  }),
  list_interviews: list('/interviews', {
    job_ids: IDS,
    application_ids: IDS,
    job_interview_ids: IDS,
    organizer_ids: IDS,
    starts_at: SINCE,
    ends_at: BEFORE,
    all_day_start_on: 'gte|2026-01-01',
    all_day_end_on: 'lte|2026-12-31',
    external_event_id: 'evt/42',
    status: 'awaiting_feedback',
  }),
  list_interviewers: list('/interviewers', {
    interview_ids: IDS,
    user_ids: IDS,
    scorecard_ids: IDS,
    response_status: 'tentative',
  }),
  list_interview_kits: list('/interview_kits', { job_ids: IDS, job_interview_ids: IDS }),
  list_users: blocked(
    list('/users', {
      agency_ids: IDS,
      office_ids: IDS,
      department_ids: IDS,
      linked_candidate_ids: IDS,
      interviewer_tag_ids: IDS,
      employee_ids: IDS,
      custom_field_option_id: 7,
      deactivated: false,
      primary_email: 'rahel@example.com',
      external_office_id: 'o-1',
      external_department_id: 'd-1',
      show_service_accounts: true,
    }),
  ),
  list_user_roles: blocked(list('/user_roles')),
  list_user_emails: blocked(
    list('/user_emails', {
      user_ids: IDS,
      email: ['a@example.com', 'b@example.com'],
      verified: true,
      verification_token_sent_at: SINCE,
    }),
  ),
  list_user_job_permissions: blocked(
    list('/user_job_permissions', { job_ids: IDS, user_ids: IDS, role_ids: IDS }),
  ),
  list_departments: list('/departments', { parent_id: 3, external_id: 'd-1' }),
  list_offices: list('/offices', { parent_id: 3, external_id: 'o-1' }),
  list_candidate_tags: list('/candidate_tags'),
  list_applied_candidate_tags: list('/applied_candidate_tags', {
    candidate_tag_ids: IDS,
    candidate_ids: IDS,
  }),
  list_notes: list('/notes', {
    candidate_ids: IDS,
    user_ids: IDS,
    application_ids: IDS,
    type: 'FOLLOW_UP',
    visibility: 'publicly_visible',
  }),
  list_attachments: list('/attachments', { application_ids: IDS, candidate_ids: IDS, type: 'resume' }),
  list_custom_fields: blocked(
    list('/custom_fields', { field_type: 'candidate', active: true, name: 'Height', name_key: 'height' }),
  ),
  list_custom_field_options: blocked(
    list('/custom_field_options', { custom_field_ids: IDS, active: true, custom_field_key: 'height' }),
  ),
  list_rejection_reasons: list('/rejection_reasons', { include_defaults: true }),
  list_rejection_details: list('/rejection_details', {
    application_ids: IDS,
    rejection_reason_ids: IDS,
    custom_field_option_id: 7,
  }),
  list_sources: list('/sources'),
  list_referrers: list('/referrers', { user_ids: IDS }),
  list_email_templates: list('/email_templates', {
    email_type: 'candidate_rejection',
    from_type: 'coordinator',
  }),
  list_candidate_educations: list('/candidate_educations', {
    candidate_ids: IDS,
    start_at: SINCE,
    end_at: BEFORE,
    latest: true,
  }),
  list_candidate_employments: list('/candidate_employments', { candidate_ids: IDS, latest: true }),
  list_prospect_pools: list('/prospect_pools', {
    department_ids: IDS,
    office_ids: IDS,
    job_ids: IDS,
    active: true,
  }),
  list_prospect_details: list('/prospect_details', {
    application_ids: IDS,
    pool_ids: IDS,
    pool_stage_ids: IDS,
    prospect_owner_ids: IDS,
    department_ids: IDS,
    office_ids: IDS,
  }),
  list_approval_flows: list('/approval_flows', {
    job_ids: IDS,
    offer_ids: IDS,
    approval_type: 'offer_candidate',
  }),
  list_bulk_requests: list('/bulk_requests', {
    bulk_action_uuid: '2f6f7f0e-2b1a-4a52-9d0b-3a0c4f3b1017',
    active: false,
  }),
  list_eeoc: blocked(list('/eeoc', { application_ids: IDS, submitted_at: SINCE })),
  list_demographic_answers: blocked(
    list('/demographic_answers', {
      application_ids: IDS,
      demographic_question_ids: IDS,
      demographic_answer_option_ids: IDS,
    }),
  ),
  get_rejection_reason: { route: 'GET /rejection_reasons/{id}', path: { id: 69306314 } },
  get_bulk_request: {
    route: 'GET /bulk_requests/{bulk_action_uuid}',
    path: { bulk_action_uuid: '2f6f7f0e-2b1a-4a52-9d0b-3a0c4f3b1017' },
  },
};
