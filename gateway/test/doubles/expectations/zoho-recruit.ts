import type { OperationTable, WireRules } from '../operation-table.ts';

export const ZOHO_RULES: WireRules = { arrays: 'comma' };

const candidate = { id: '409001000000312001' };
const opening = { id: '409001000000417001' };
const interview = { id: '409001000000528001' };
const paging = { page: 2, per_page: 50 };

/** The 27 operations of Zoho Recruit v2, with a sample each that uses every parameter. */
export const ZOHO_OPERATIONS: OperationTable = {
  list_candidates: {
    route: 'GET /Candidates',
    query: { fields: 'id,Last_Name,Email', sort_order: 'desc', sort_by: 'Last_Name', ...paging },
  },
  search_candidates: {
    route: 'GET /Candidates/search',
    query: { criteria: '((City:equals:Chennai)and(Last_Name:starts_with:K))', ...paging },
    alsoAccepts: ['email', 'phone', 'word'],
  },
  get_candidate: { route: 'GET /Candidates/{id}', path: candidate },
  create_candidate: {
    route: 'POST /Candidates',
    required: ['Last_Name'],
    record: {
      First_Name: 'Anitha',
      Last_Name: 'Krishnan',
      Email: 'anitha@example.com',
      Phone: '+91 44 5550102',
      Mobile: '+91 98 5550103',
      Current_Job_Title: 'Welder',
      Current_Employer: 'Harbour Works',
      City: 'Chennai',
      State: 'Tamil Nadu',
      Country: 'India',
      Skill_Set: 'TIG, MIG',
      Source: 'Referral',
      Experience_in_Years: 7.5,
      Current_Salary: 900000,
      Expected_Salary: 1100000,
    },
  },
  update_candidate: {
    route: 'PUT /Candidates',
    required: ['id'],
    record: {
      ...candidate,
      First_Name: 'Anitha',
      Last_Name: 'Krishnan',
      Email: 'anitha.k@example.com',
      Phone: '+91 44 5550104',
      Current_Job_Title: 'Foreman',
      Current_Employer: 'Harbour Works',
      Skill_Set: 'TIG, planning',
    },
  },
  delete_candidate: {
    route: 'DELETE /Candidates',
    query: { ids: '409001000000312001,409001000000312002' },
    dangerous: true,
  },
  convert_candidate: {
    route: 'POST /Candidates/{id}/actions/convert',
    path: candidate,
    body: { overwrite: true, notify_lead_owner: true },
  },
  list_job_openings: {
    route: 'GET /Job_Openings',
    query: { fields: 'id,Posting_Title', sort_order: 'asc', sort_by: 'Posting_Title', ...paging },
  },
  search_job_openings: {
    route: 'GET /Job_Openings/search',
    query: { criteria: '(Job_Opening_Status:equals:Open)', ...paging },
  },
  get_job_opening: { route: 'GET /Job_Openings/{id}', path: opening },
  create_job_opening: {
    route: 'POST /Job_Openings',
    required: ['Posting_Title'],
    record: {
      Posting_Title: 'Crane operator',
      Job_Opening_Name: 'CRANE-7',
      Job_Opening_Status: 'On-hold',
      Department_Name: 'Port',
      Job_Type: 'Full time',
      Job_Description: '<p>Lifts things.</p>',
      Required_Skills: 'cranes, radio',
      City: 'Chennai',
      State: 'Tamil Nadu',
      Country: 'India',
      Number_of_Positions: 3,
      Min_Salary: 500000,
      Max_Salary: 800000,
    },
  },
  update_job_opening: {
    route: 'PUT /Job_Openings',
    required: ['id'],
    record: {
      ...opening,
      Posting_Title: 'Senior crane operator',
      Job_Opening_Status: 'Filled',
      Job_Description: '<p>Lifts more.</p>',
      Number_of_Positions: 1,
    },
  },
  get_candidate_job_openings: { route: 'GET /Candidates/{id}/Job_Openings', path: candidate },
  get_job_opening_candidates: { route: 'GET /Job_Openings/{id}/Candidates', path: opening },
  associate_candidate_to_job: {
    route: 'PUT /Candidates/actions/associate',
    required: ['jobids', 'ids'],
    record: {
      jobids: ['409001000000417001'],
      ids: ['409001000000312001'],
      comments: 'Fits the port jobs.',
    },
  },
  update_candidate_status: {
    route: 'PUT /Candidates/status',
    required: ['ids', 'Candidate_Status'],
    record: {
      ids: ['409001000000312001'],
      jobids: ['409001000000417001'],
      Candidate_Status: 'Interview-Scheduled',
      comments: 'Moved after the call.',
    },
  },
  list_interviews: { route: 'GET /Interviews', query: paging },
  search_interviews: {
    route: 'GET /Interviews/search',
    query: { criteria: '(Interview_Type:equals:Phone)' },
  },
  get_interview: { route: 'GET /Interviews/{id}', path: interview },
  create_interview: {
    route: 'POST /Interviews',
    required: ['Interview_Name', 'From', 'To'],
    record: {
      Interview_Name: 'First talk',
      Candidate_Name: candidate,
      From: '2026-05-04T09:00:00+05:30',
      To: '2026-05-04T10:00:00+05:30',
      Interview_Type: 'Phone',
      Location: 'Pier 4',
      Interviewer: { id: '409001000000087001' },
    },
  },
  update_interview: {
    route: 'PUT /Interviews',
    required: ['id'],
    record: {
      ...interview,
      From: '2026-05-05T09:00:00+05:30',
      To: '2026-05-05T10:00:00+05:30',
      Location: 'Pier 5',
      Interview_Feedback: 'Strong.',
    },
  },
  get_candidate_notes: { route: 'GET /Candidates/{id}/Notes', path: candidate },
  add_candidate_note: {
    route: 'POST /Candidates/{id}/Notes',
    required: ['Note_Content'],
    path: candidate,
    record: { Note_Title: 'Call', Note_Content: 'Available from June.' },
  },
  get_candidate_attachments: { route: 'GET /Candidates/{id}/Attachments', path: candidate },
  coql_query: {
    route: 'POST /coql',
    reads: true,
    required: ['select_query'],
    body: { select_query: "select Last_Name from Candidates where City = 'Chennai' limit 10" },
  },
  bulk_read: {
    route: 'POST /Candidates/actions/bulk_read',
    reads: true,
    required: ['query'],
    body: { query: { module: 'Candidates', page: 1 } },
  },
  get_bulk_read_result: {
    route: 'GET /Candidates/actions/bulk_read/{job_id}',
    path: { job_id: '409001000000601001' },
  },
};
