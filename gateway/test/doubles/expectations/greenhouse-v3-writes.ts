import type { DocumentedOperation, OperationTable } from '../operation-table.ts';

const CUSTOM_FIELDS = [{ custom_field_id: 7, value: 'Blue' }];
type Body = Readonly<Record<string, unknown>>;
type Closed = Pick<DocumentedOperation, 'dangerous' | 'blocklisted'>;

const DANGEROUS: Closed = { dangerous: true };
const BLOCKLISTED: Closed = { blocklisted: true };
const BOTH: Closed = { dangerous: true, blocklisted: true };

/**
 * A write. Who acts is in the token: the service would take one without, but then nobody could tell who did it.
 * `body`: members of the sample; `required`: what the service insists on.
 */
function write(
  route: string,
  body?: Body,
  required: readonly string[] = [],
  closed?: Closed,
): DocumentedOperation {
  return {
    route,
    actingUser: 'required',
    required,
    ...(route.includes('{id}') ? { path: { id: 69306314 } } : {}),
    ...(body === undefined ? {} : { body }),
    ...closed,
  };
}

const remove = (path: string, closed?: Closed) => write(`DELETE ${path}/{id}`, undefined, [], closed);
const act = (path: string, body?: Body, required?: readonly string[]) =>
  write(`POST ${path}`, body, required);

const people: OperationTable = {
  create_candidate: write(
    'POST /candidates',
    {
      first_name: 'Nadia',
      last_name: 'Öztürk',
      preferred_name: 'Nadi',
      company: 'Ferry & Sons',
      title: 'Naval architect',
      email_addresses: [{ value: 'nadia@example.com', type: 'personal' }],
      phone_numbers: [{ value: '+49 30 5550101', type: 'mobile' }],
      addresses: [{ value: 'Kai 1, Kiel', type: 'home' }],
      website_addresses: [{ value: 'https://nadia.example.com', type: 'portfolio' }],
      social_media_addresses: [{ value: 'https://social.example.com/nadia' }],
      tags: ['ships'],
      custom_fields: CUSTOM_FIELDS,
      application: { job_id: 107761, source_id: 2, recruiter_id: 158104, coordinator_id: 158105 },
    },
    ['first_name', 'last_name'],
  ),
  update_candidate: write('PATCH /candidates/{id}', {
    first_name: 'Maria',
    last_name: 'Silva',
    preferred_name: 'Mia',
    company: 'Docks Ltd',
    title: 'Rigger',
    time_zone: 'Europe/Lisbon',
    is_private: true,
    can_email: false,
    email_addresses: [{ value: 'maria@example.com', type: 'work' }],
    phone_numbers: [{ value: '+351 21 5550106', type: 'work' }],
    addresses: [{ value: 'Cais 2, Porto', type: 'work' }],
    website_addresses: [{ value: 'https://maria.example.com', type: 'blog' }],
    social_media_addresses: [{ value: 'https://social.example.com/maria' }],
    tags: ['steel'],
    linked_user_ids: [158104],
    custom_fields: CUSTOM_FIELDS,
  }),
  delete_candidate: remove('/candidates', DANGEROUS),
  anonymize_candidate: write(
    'PATCH /candidates/{id}/anonymize',
    { fields: ['full_name', 'emails'] },
    [],
    DANGEROUS,
  ),
  merge_candidates: write(
    'POST /candidates/{id}/merge',
    { secondary_candidate_id: 53883395 },
    ['secondary_candidate_id'],
    DANGEROUS,
  ),
  create_tag: write('POST /candidate_tags', { name: 'night shift' }),
  delete_tag: remove('/candidate_tags'),
  add_candidate_tag: write('POST /applied_candidate_tags', { candidate_id: 53883394, candidate_tag_id: 11 }, [
    'candidate_id',
    'candidate_tag_id',
  ]),
  remove_candidate_tag: remove('/applied_candidate_tags'),
  create_education: write(
    'POST /candidate_educations',
    {
      candidate_id: 53883394,
      school_name_custom_field_option_id: 21,
      degree_custom_field_option_id: 22,
      start_date: '2018-10-01',
    },
    ['candidate_id'],
  ),
  delete_education: remove('/candidate_educations'),
  create_employment: write(
    'POST /candidate_employments',
    { candidate_id: 53883394, company_name: 'Harbour Works', title: 'Welder', start_date: '2021-02-01' },
    ['candidate_id', 'company_name', 'title', 'start_date'],
  ),
  delete_employment: remove('/candidate_employments'),
  create_note: write(
    'POST /notes',
    {
      candidate_id: 53883394,
      body: 'Sent the plan.',
      note_type: 'EMAIL',
      visibility: 'admin_only',
      application_id: 69306314,
      user_id: 158104,
      subject: 'Plan',
      email_from: ['rahel@example.com'],
      email_to: ['maria@example.com'],
      email_cc: [],
    },
    ['candidate_id', 'body', 'note_type', 'visibility'],
  ),
  create_attachment: write(
    'POST /attachments',
    {
      application_id: 69306314,
      filename: 'cv.pdf',
      type: 'resume',
      content: 'JVBERi0xLjQK',
      url: 'https://files.example.com/cv.pdf',
      visibility: 'public',
    },
    ['application_id', 'filename', 'type'],
  ),
  delete_attachment: remove('/attachments'),
};

const applications: OperationTable = {
  create_application: write(
    'POST /applications',
    {
      candidate_id: 53883394,
      job_id: 107761,
      initial_stage_id: 708728,
      prospect: false,
      job_ids: [107761],
      source_id: 2,
      referrer_id: 31,
      recruiter_id: 158104,
      coordinator_id: 158105,
    },
    ['candidate_id'],
  ),
  update_application: write('PATCH /applications/{id}', {
    source_id: 2,
    referrer_id: 31,
    recruiter_id: 158104,
    coordinator_id: 158105,
    prospect_pool_id: 41,
    custom_fields: CUSTOM_FIELDS,
  }),
  delete_application: remove('/applications', DANGEROUS),
  move_application: act(
    '/applications/{id}/move',
    { from_stage_id: 708728, to_stage_id: 708729, to_job_id: 107762, email_from_user_id: 158104 },
    ['from_stage_id'],
  ),
  reject_application: act(
    '/applications/{id}/reject',
    {
      rejection_reason_id: 4014,
      notes: 'Took another offer.',
      rejection_email: {
        email_template_id: 42,
        send_email_at: '2026-05-04T08:00:00Z',
        email_from_user_id: 158104,
      },
    },
    ['rejection_reason_id'],
  ),
  unreject_application: act('/applications/{id}/unreject'),
  hire_application: act('/applications/{id}/hire', {
    opening_id: 5551,
    start_date: '2026-06-01T00:00:00Z',
    close_reason_id: 1,
  }),
  convert_prospect: act(
    '/applications/{id}/convert_to_candidate',
    { job_id: 107761, to_job_interview_stage_id: 708728 },
    ['job_id'],
  ),
  update_rejection_details: write('PATCH /rejection_details/{id}', { rejection_reason_id: 4015 }),
  create_interview: write(
    'POST /interviews',
    {
      application_id: 69306314,
      job_interview_id: 31,
      interviewers: [{ user_id: 158104, response_status: 'accepted' }],
      starts_at: '2026-05-04T09:00:00Z',
      ends_at: '2026-05-04T10:00:00Z',
      external_event_id: 'evt/42',
      location: 'Pier 4',
      video_conferencing_url: 'https://video.example.com/42',
    },
    ['application_id', 'job_interview_id', 'external_event_id'],
  ),
  update_interview: write('PATCH /interviews/{id}', {
    starts_at: '2026-05-05T09:00:00Z',
    ends_at: '2026-05-05T10:00:00Z',
    interviewers: [{ user_id: 158105, response_status: 'tentative' }],
    location: 'Pier 5',
    video_conferencing_url: 'https://video.example.com/43',
  }),
  delete_interview: remove('/interviews'),
  create_scorecard: write('POST /scorecards', {
    application_id: 69306314,
    interview_kit_id: 61,
    interviewer_id: 158104,
    candidate_rating: 'yes',
    notes: 'Steady hands.',
  }),
  update_scorecard: write('PATCH /scorecards/{id}', {
    candidate_rating: 'strong_yes',
    notes: 'Very steady.',
  }),
  create_offer: write(
    'POST /offers',
    { application_id: 69306314, starts_on: '2026-06-01', custom_fields: CUSTOM_FIELDS },
    ['application_id'],
  ),
  update_offer: write('PATCH /offers/{id}', {
    starts_on: '2026-06-15',
    sent_on: '2026-05-20',
    resolved_at: '2026-05-25T12:00:00Z',
    custom_fields: CUSTOM_FIELDS,
  }),
};

const jobs: OperationTable = {
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

const organisation: OperationTable = {
  create_department: write('POST /departments', { name: 'Port', parent_id: 3, external_id: 'd-1' }, ['name']),
  update_department: write('PATCH /departments/{id}', { name: 'Docks', parent_id: 3, external_id: 'd-2' }, [
    'name',
  ]),
  create_office: write('POST /offices', { name: 'Leith', parent_id: 3, external_id: 'o-1' }),
  update_office: write('PATCH /offices/{id}', { name: 'Leith East', parent_id: 3, external_id: 'o-2' }),
};

/** Below a blocklisted path: nobody reaches them, whatever their grade. */
const behindTheBlocklist: OperationTable = {
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

/** The writes of Harvest v3, with a sample each that uses every parameter. */
export const GREENHOUSE_V3_WRITES: OperationTable = {
  ...people,
  ...applications,
  ...jobs,
  ...organisation,
  ...behindTheBlocklist,
};
