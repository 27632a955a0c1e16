import type { DocumentedOperation, OperationTable, WireRules } from '../operation-table.ts';

/** Lever: query arrays repeat their name; who acts is a query parameter. */
export const LEVER_RULES: WireRules = {
  arrays: 'repeat',
  actingUser: { in: 'query', name: 'perform_as' },
};

const OPPORTUNITY = '250d8f03-738a-4bba-a671-8a3d73477145';
const opportunity = { opportunity: OPPORTUNITY };
const of = (name: string, id: string) => ({ ...opportunity, [name]: id });
/** The second page of one item each; the token stands for position 1. */
const paging = { limit: 1, offset: 'eyJhdCI6MX0' };
const since = 1767225600000;
const until = 1798761600000;

/** Adding or removing links, tags or sources. */
function change(verb: string, member: string, values: readonly string[]): DocumentedOperation {
  return {
    route: `POST /opportunities/{opportunity}/${verb}`,
    actingUser: 'accepted',
    required: [member],
    path: opportunity,
    body: { [member]: values },
  };
}

const children = (name: string): DocumentedOperation => ({
  route: `GET /opportunities/{opportunity}/${name}`,
  path: opportunity,
  query: paging,
});

const child = (name: string, placeholder: string, id: string): DocumentedOperation => ({
  route: `GET /opportunities/{opportunity}/${name}/{${placeholder}}`,
  path: of(placeholder, id),
});

/** The 47 operations of Lever's Data API, with a sample each that uses every parameter. */
export const LEVER_OPERATIONS: OperationTable = {
  list_opportunities: {
    route: 'GET /opportunities',
    query: {
      ...paging,
      include: ['followers'],
      expand: ['stage', 'owner'],
      tag: ['San Diego', 'C++'],
      email: 'shane@example.com',
      origin: 'sourced',
      source: ['LinkedIn', 'Fair'],
      confidentiality: 'all',
      stage_id: ['lead-new', 'fff60592-31dd-4ebe-ba8e-e7a397c30f8e'],
      posting_id: ['f2f01e16-27f8-4711-a728-7d49499795a0'],
      archived_posting_id: ['f2f01e16-27f8-4711-a728-7d49499795a1'],
      archived: false,
      created_at_start: since,
      created_at_end: until,
      updated_at_start: since,
      updated_at_end: until,
      archived_at_start: since,
      archived_at_end: until,
      contact_id: ['7f23e772-f2cb-4ebb-b33f-54b872999992'],
    },
  },
  get_opportunity: {
    route: 'GET /opportunities/{opportunity}',
    path: opportunity,
    query: { include: ['followers'], expand: ['stage', 'contact'] },
  },
  list_deleted_opportunities: {
    route: 'GET /opportunities/deleted',
    query: { ...paging, deleted_at_start: since, deleted_at_end: until },
  },
  create_opportunity: {
    route: 'POST /opportunities',
    actingUser: 'required',
    query: { parse: true, perform_as_posting_owner: false },
    body: {
      name: 'Rahel Adane',
      headline: 'Dockyard, Harbour Works',
      stage: 'lead-new',
      location: 'Leith',
      phones: [{ value: '+44 131 5550105', type: 'mobile' }],
      emails: ['rahel@example.com'],
      links: ['https://rahel.example.com'],
      tags: ['steel'],
      sources: ['Fair'],
      origin: 'sourced',
      owner: '8d49b010-cc6a-4f40-ace5-e86061c677ed',
      followers: ['8d49b010-cc6a-4f40-ace5-e86061c677ee'],
      postings: ['f2f01e16-27f8-4711-a728-7d49499795a0'],
      createdAt: since,
      archived: { archivedAt: until, reason: '63dd55b2-a99f-4e7b-985f-22c7bf80ab42' },
      contact: '7f23e772-f2cb-4ebb-b33f-54b872999992',
    },
  },
  update_opportunity_stage: {
    route: 'PUT /opportunities/{opportunity}/stage',
    actingUser: 'accepted',
    required: ['stage'],
    path: opportunity,
    body: { stage: 'fff60592-31dd-4ebe-ba8e-e7a397c30f8e' },
  },
  update_opportunity_archived: {
    route: 'PUT /opportunities/{opportunity}/archived',
    actingUser: 'accepted',
    required: ['reason'],
    path: opportunity,
    body: { reason: null, cleanInterviews: true, requisitionId: '452a3f3d-f4ee-4d27-8d5a-5a7e4e0e2c20' },
  },
  add_opportunity_links: change('addLinks', 'links', ['https://shane.example.com']),
  remove_opportunity_links: change('removeLinks', 'links', ['https://shane.example.com']),
  add_opportunity_tags: change('addTags', 'tags', ['C++', 'night shift']),
  remove_opportunity_tags: change('removeTags', 'tags', ['night shift']),
  add_opportunity_sources: change('addSources', 'sources', ['Fair']),
  remove_opportunity_sources: change('removeSources', 'sources', ['Fair']),
  get_contact: {
    route: 'GET /contacts/{contact}',
    path: { contact: '7f23e772-f2cb-4ebb-b33f-54b872999992' },
  },
  update_contact: {
    route: 'PUT /contacts/{contact}',
    actingUser: 'accepted',
    path: { contact: '7f23e772-f2cb-4ebb-b33f-54b872999992' },
    body: {
      name: 'Shane Smith',
      headline: 'Rigger',
      location: 'Oakland',
      emails: ['shane@example.com'],
      phones: [{ value: '(123) 456-7891', type: 'work' }],
    },
  },
  list_applications: children('applications'),
  get_application: child('applications', 'application', 'cdb4ff14-f7da-4a14-8bd7-1b1ba4e9c1b4'),
  list_notes: children('notes'),
  get_note: child('notes', 'note', 'bc9ea4a0-7a0c-4f2a-8c5e-3b4a31e0b8b1'),
  create_note: {
    route: 'POST /opportunities/{opportunity}/notes',
    actingUser: 'accepted',
    required: ['value'],
    path: opportunity,
    query: { note_id: 'bc9ea4a0-7a0c-4f2a-8c5e-3b4a31e0b8b1' },
    body: {
      value: 'Prefers mornings.',
      secret: true,
      score: 3,
      notifyFollowers: true,
      createdAt: since,
    },
  },
  delete_note: {
    route: 'DELETE /opportunities/{opportunity}/notes/{note}',
    path: of('note', 'bc9ea4a0-7a0c-4f2a-8c5e-3b4a31e0b8b1'),
  },
  list_feedback: children('feedback'),
  get_feedback: child('feedback', 'feedback', 'bbb99a4e-6c2e-4d2a-9a5b-7b6f0b1a7b11'),
  create_feedback: {
    route: 'POST /opportunities/{opportunity}/feedback',
    actingUser: 'required',
    required: ['baseTemplateId'],
    path: opportunity,
    body: {
      baseTemplateId: '0a8f9f0e-5b3c-4a3d-9d4e-0f5a8a3a1c11',
      panel: '46b4b1a2-5f0d-4d0c-8e57-96d2e3f0b012',
      interview: '2cfb0a3e-0d5a-4d5b-9a41-5f8b6ad9d013',
      fieldValues: [{ id: 'd7a1c9a0-0c7e-4b8c-9f0e-5e8c0f1c1014', value: 3 }],
      completedAt: since,
    },
  },
  delete_feedback: {
    route: 'DELETE /opportunities/{opportunity}/feedback/{feedback}',
    actingUser: 'required',
    path: of('feedback', 'bbb99a4e-6c2e-4d2a-9a5b-7b6f0b1a7b11'),
    dangerous: true,
  },
  list_interviews: children('interviews'),
  get_interview: child('interviews', 'interview', '2cfb0a3e-0d5a-4d5b-9a41-5f8b6ad9d013'),
  create_interview: {
    route: 'POST /opportunities/{opportunity}/interviews',
    actingUser: 'required',
    required: ['panel', 'interviewers', 'date', 'duration'],
    path: opportunity,
    body: {
      panel: '46b4b1a2-5f0d-4d0c-8e57-96d2e3f0b012',
      subject: 'On site',
      note: 'Bring boots.',
      interviewers: [
        {
          id: '8d49b010-cc6a-4f40-ace5-e86061c677ed',
          feedbackTemplate: '0a8f9f0e-5b3c-4a3d-9d4e-0f5a8a3a1c11',
        },
      ],
      date: until,
      duration: 45,
      location: 'Pier 4',
      feedbackTemplate: '0a8f9f0e-5b3c-4a3d-9d4e-0f5a8a3a1c11',
      feedbackReminder: 'daily',
    },
  },
  delete_interview: {
    route: 'DELETE /opportunities/{opportunity}/interviews/{interview}',
    actingUser: 'required',
    path: of('interview', '2cfb0a3e-0d5a-4d5b-9a41-5f8b6ad9d013'),
  },
  list_panels: children('panels'),
  list_offers: children('offers'),
  list_resumes: children('resumes'),
  download_resume: {
    route: 'GET /opportunities/{opportunity}/resumes/{resume}/download',
    path: of('resume', '8e3a2c6d-2c3f-4a6e-9b0d-1c1b0a0f9015'),
  },
  list_files: children('files'),
  download_file: {
    route: 'GET /opportunities/{opportunity}/files/{file}/download',
    path: of('file', 'a1b7c8d9-1e2f-4a3b-8c4d-5e6f7a8b9016'),
  },
  upload_file: {
    route: 'POST /opportunities/{opportunity}/files',
    actingUser: 'required',
    path: opportunity,
    file: { name: 'file', filename: 'letter.txt', contentType: 'text/plain', bytes: 'Dear harbour master' },
  },
  delete_file: {
    route: 'DELETE /opportunities/{opportunity}/files/{file}',
    actingUser: 'required',
    path: of('file', 'a1b7c8d9-1e2f-4a3b-8c4d-5e6f7a8b9016'),
  },
  list_postings: {
    route: 'GET /postings',
    query: {
      ...paging,
      state: 'published',
      team: 'Rigging',
      department: 'Port',
      location: 'Leith',
      commitment: 'Full-time',
      tag: 'steel',
      group: 'team',
      confidentiality: 'all',
      updated_at_start: since,
      updated_at_end: until,
    },
  },
  get_posting: {
    route: 'GET /postings/{posting}',
    path: { posting: 'f2f01e16-27f8-4711-a728-7d49499795a0' },
  },
  create_posting: {
    route: 'POST /postings',
    actingUser: 'required',
    required: ['text'],
    body: {
      text: 'Crane operator',
      state: 'draft',
      distributionChannels: ['internal'],
      owner: '8d49b010-cc6a-4f40-ace5-e86061c677ed',
      hiringManager: '8d49b010-cc6a-4f40-ace5-e86061c677ee',
      categories: { team: 'Rigging', location: 'Leith', commitment: 'Full-time', department: 'Port' },
      tags: ['steel'],
      content: { description: 'Lifts things.' },
      requisitionCodes: ['CRANE-7'],
    },
  },
  get_posting_apply_questions: {
    route: 'GET /postings/{posting}/apply',
    path: { posting: 'f2f01e16-27f8-4711-a728-7d49499795a0' },
  },
  apply_to_posting: {
    route: 'POST /postings/{posting}/apply',
    path: { posting: 'f2f01e16-27f8-4711-a728-7d49499795a0' },
    query: { send_confirmation_email: true },
    body: {
      customQuestions: [{ id: 'q1', fields: [{ value: 'yes' }] }],
      eeoResponses: { gender: 'declined' },
      personalInformation: [{ name: 'fullName', value: 'Rahel Adane' }],
      urls: [{ name: 'Portfolio', value: 'https://rahel.example.com' }],
      resume: 'https://api.lever.co/v1/uploads/1',
    },
    dangerous: true,
  },
  list_stages: { route: 'GET /stages', query: paging },
  list_archive_reasons: { route: 'GET /archive_reasons', query: { ...paging, type: 'non-hired' } },
  list_sources: { route: 'GET /sources', query: paging },
  list_tags: { route: 'GET /tags', query: paging },
  list_requisitions: {
    route: 'GET /requisitions',
    query: {
      ...paging,
      status: 'open',
      requisition_code: 'CRANE-7',
      created_at_start: since,
      created_at_end: until,
      confidentiality: 'all',
    },
  },
  get_requisition: {
    route: 'GET /requisitions/{requisition}',
    path: { requisition: '452a3f3d-f4ee-4d27-8d5a-5a7e4e0e2c20' },
  },
};
