type GreenhouseRecord = Record<string, unknown>;

export interface GreenhouseData {
  list(collection: string, query: (name: string) => string | undefined): GreenhouseRecord[];
  find(collection: string, id: string): GreenhouseRecord | undefined;
  add(collection: string, values: object): GreenhouseRecord;
  remove(collection: string, id: string): void;
  stages(job: GreenhouseRecord): object[];
}

/** Three candidates with two jobs between them, and what belongs to that. */
export function greenhouseData(): GreenhouseData {
  const collections = seed();
  let nextId = 9_000_000_001;
  return {
    list: (collection, query) => of(collections, collection).filter((record) => matches(record, query)),
    find: (collection, id) => of(collections, collection).find((record) => String(record['id']) === id),
    add(collection, values) {
      const record = { id: nextId++, created_at: '2026-05-04T08:00:00.000Z', ...values };
      of(collections, collection).push(record);
      return record;
    },
    remove(collection, id) {
      collections[collection] = of(collections, collection).filter((record) => String(record['id']) !== id);
    },
    stages: (job) => [
      {
        id: 708728,
        name: 'Application review',
        active: true,
        job_id: job['id'],
        priority: 0,
        interviews: [],
      },
      { id: 708729, name: 'Phone screen', active: true, job_id: job['id'], priority: 1, interviews: [] },
    ],
  };
}

function of(collections: Record<string, GreenhouseRecord[]>, name: string): GreenhouseRecord[] {
  collections[name] ??= [];
  return collections[name];
}

/** The filters that the tests look at: equality, and bounds of a time. */
function matches(record: GreenhouseRecord, query: (name: string) => string | undefined): boolean {
  for (const name of ['status', 'job_id', 'application_id']) {
    const wanted = query(name);
    if (wanted !== undefined && name in record && String(record[name]) !== wanted) return false;
  }
  const email = query('email');
  if (email !== undefined && !JSON.stringify(record['email_addresses'] ?? []).includes(email)) return false;
  for (const field of ['created', 'updated']) {
    const at = Date.parse(String(record[`${field}_at`] ?? ''));
    if (Number.isNaN(at)) continue;
    if (at < Date.parse(query(`${field}_after`) ?? '')) return false;
    if (at >= Date.parse(query(`${field}_before`) ?? '')) return false;
  }
  return true;
}

function candidate(id: number, first: string, last: string, email: string, at: string): GreenhouseRecord {
  return {
    id,
    first_name: first,
    last_name: last,
    company: null,
    title: null,
    created_at: at,
    updated_at: at,
    is_private: false,
    email_addresses: [{ value: email, type: 'personal' }],
    phone_numbers: [],
    addresses: [],
    tags: [],
    application_ids: [],
    custom_fields: {},
    keyed_custom_fields: {},
  };
}

function seed(): Record<string, GreenhouseRecord[]> {
  const job = (id: number, name: string, status: string) => ({
    id,
    name,
    requisition_id: null,
    status,
    created_at: '2025-11-03T10:00:00.000Z',
    departments: [{ id: 25907, name: 'Port', parent_id: null, child_ids: [] }],
    offices: [{ id: 47012, name: 'Leith', location: { name: 'Leith' } }],
    hiring_team: { hiring_managers: [{ id: 158105, first_name: 'Ian', last_name: 'Rae' }], recruiters: [] },
    openings: [{ id: 5551, opening_id: null, status: 'open', application_id: null }],
  });
  return {
    candidates: [
      candidate(53883394, 'Maria', 'Silva', 'maria.silva+jobs@example.com', '2026-02-03T09:00:00.000Z'),
      candidate(53883395, 'Jonas', 'Weber', 'jonas@example.com', '2026-02-10T09:00:00.000Z'),
      candidate(53883396, 'Aiko', 'Mori', 'aiko@example.com', '2026-04-01T09:00:00.000Z'),
    ],
    applications: [
      {
        id: 69306314,
        candidate_id: 53883394,
        prospect: false,
        applied_at: '2026-02-03T09:00:00.000Z',
        created_at: '2026-02-03T09:00:00.000Z',
        rejected_at: null,
        status: 'active',
        job_id: 107761,
        jobs: [{ id: 107761, name: 'Crane operator' }],
        current_stage: { id: 708728, name: 'Application review' },
        source: { id: 2, public_name: 'Referral' },
      },
    ],
    jobs: [job(107761, 'Crane operator', 'open'), job(107762, 'Harbour pilot', 'closed')],
    scorecards: [
      {
        id: 9001,
        application_id: 69306314,
        interview: 'Phone screen',
        overall_recommendation: 'yes',
        submitted_at: '2026-02-20T12:00:00.000Z',
        created_at: '2026-02-20T11:00:00.000Z',
      },
    ],
    scheduled_interviews: [
      {
        id: 7163,
        application_id: 69306314,
        start: { date_time: '2026-02-20T11:00:00.000Z' },
        end: { date_time: '2026-02-20T12:00:00.000Z' },
        status: 'scheduled',
      },
    ],
    sources: [{ id: 2, name: 'Referral', type: { id: 1, name: 'Referrals' } }],
    rejection_reasons: [{ id: 4014, name: 'Took another offer', type: { id: 1, name: 'They rejected us' } }],
    departments: [{ id: 25907, name: 'Port', parent_id: null, child_ids: [] }],
    offices: [{ id: 47012, name: 'Leith', location: { name: 'Leith' }, parent_id: null, child_ids: [] }],
  };
}
