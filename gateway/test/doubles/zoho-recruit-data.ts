export type ZohoRecord = Record<string, unknown>;

export interface ZohoData {
  all(module: string): readonly ZohoRecord[];
  find(module: string, id: string): ZohoRecord | undefined;
  related(module: string, id: string, name: string): readonly ZohoRecord[];
  /** The new record's id. */
  add(module: string, values: ZohoRecord): string;
  /** The record's id; undefined when there is none of it. */
  update(module: string, values: ZohoRecord): string | undefined;
  /** `… from Module where Field = 'value'`. */
  query(coql: string): readonly ZohoRecord[];
}

export function zohoData(): ZohoData {
  const modules = seed();
  let nextId = 409001000000900001n;
  const all = (module: string) => {
    modules[module] ??= [];
    return modules[module];
  };
  const find = (module: string, id: string) => all(module).find((record) => record['id'] === id);
  return {
    all,
    find,
    related: (module, id, name) =>
      all(name).filter((record) => record['Parent_Id'] === id || linked(record, module, id)),
    add(module, values) {
      const id = String(nextId++);
      all(module).push({ id, ...values });
      return id;
    },
    update(module, values) {
      const record = find(module, String(values['id']));
      if (record === undefined) return undefined;
      Object.assign(record, values);
      return String(record['id']);
    },
    query(coql) {
      const [, module] = /\bfrom\s+(\w+)/i.exec(coql) ?? [];
      const [, field, value] = /\bwhere\s+(\w+)\s*=\s*'([^']*)'/i.exec(coql) ?? [];
      const records = module === undefined ? [] : all(module);
      return field === undefined ? records : records.filter((record) => record[field] === value);
    },
  };
}

function linked(record: ZohoRecord, module: string, id: string): boolean {
  const links = record['$links'] as Record<string, readonly string[]> | undefined;
  return links?.[module]?.includes(id) ?? false;
}

function seed(): Record<string, ZohoRecord[]> {
  const candidate = (id: string, First_Name: string, Last_Name: string, City: string): ZohoRecord => ({
    id,
    First_Name,
    Last_Name,
    Email: `${First_Name.toLowerCase()}@example.com`,
    Phone: null,
    Mobile: null,
    Current_Job_Title: 'Welder',
    Current_Employer: 'Harbour Works',
    Skill_Set: 'TIG',
    Source: 'Referral',
    City,
    Country: 'India',
    $links: { Job_Openings: ['409001000000417001'] },
  });
  return {
    Candidates: [
      candidate('409001000000312001', 'Anitha', 'Krishnan', 'Chennai'),
      candidate('409001000000312002', 'Dev', 'Kapoor', 'Chennai'),
      candidate('409001000000312003', 'Lena', 'Brandt', 'Kochi'),
    ],
    Job_Openings: [
      {
        id: '409001000000417001',
        Posting_Title: 'Crane operator',
        Job_Opening_Name: 'CRANE-7',
        Job_Opening_Status: 'Open',
        Number_of_Positions: 3,
        City: 'Chennai',
        $links: { Candidates: ['409001000000312001'] },
      },
    ],
    Interviews: [
      {
        id: '409001000000528001',
        Interview_Name: 'First talk',
        Interview_Type: 'Phone',
        From: '2026-05-04T09:00:00+05:30',
        To: '2026-05-04T10:00:00+05:30',
      },
    ],
    Notes: [
      {
        id: '409001000000701001',
        Note_Title: 'Call',
        Note_Content: 'Available from June.',
        Parent_Id: '409001000000312001',
      },
    ],
    Attachments: [
      { id: '409001000000702001', File_Name: 'cv.pdf', Size: '4711', Parent_Id: '409001000000312001' },
    ],
  };
}
