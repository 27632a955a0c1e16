export type HarvestRecord = Record<string, unknown>;
type Query = ReadonlyMap<string, string>;

export interface HarvestData {
  /** Newest first; filtered as the lists of v3 do. */
  list(collection: string, query: Query): readonly HarvestRecord[];
  find(collection: string, id: string): HarvestRecord | undefined;
  add(collection: string, values: object): HarvestRecord;
  /** Members given replace those that were there, lists as a whole. */
  update(record: HarvestRecord, values: object): HarvestRecord;
  remove(collection: string, id: string): boolean;
}

/** The oldest record of each collection; the others follow it. */
const FIRST_CANDIDATE = 53883394;
const FIRST_OF_OTHERS = 69306314;
const PEOPLE = [
  ['Maria', 'Silva'],
  ['Jonas', 'Weber'],
  ['Aiko', 'Mori'],
] as const;

/** `records` made-up records in every collection. */
export function harvestData(records: number): HarvestData {
  const collections = new Map<string, HarvestRecord[]>();
  let nextId = 9_000_000_001;
  const of = (name: string): HarvestRecord[] => {
    const known = collections.get(name);
    if (known !== undefined) return known;
    const seeded = Array.from({ length: records }, (_, index) => seed(name, records - 1 - index));
    collections.set(name, seeded);
    return seeded;
  };
  return {
    list: (name, query) =>
      of(name).filter((record) => [...query].every((filter) => passes(record, ...filter))),
    find: (name, id) => of(name).find((record) => String(record['id']) === id),
    add(name, values) {
      const at = '2026-05-04T08:00:00Z';
      const record = { id: nextId++, ...values, created_at: at, updated_at: at };
      of(name).unshift(record);
      return record;
    },
    update: (record, values) => Object.assign(record, values, { updated_at: '2026-05-05T08:00:00Z' }),
    remove(name, id) {
      const at = of(name).findIndex((record) => String(record['id']) === id);
      if (at >= 0) of(name).splice(at, 1);
      return at >= 0;
    },
  };
}

function seed(collection: string, index: number): HarvestRecord {
  const times = { created_at: '2026-02-03T09:00:00Z', updated_at: '2026-02-03T09:00:00Z' };
  if (collection === 'applications') {
    const candidate_id = FIRST_CANDIDATE + index;
    return { id: FIRST_OF_OTHERS + index, candidate_id, job_id: 107761, status: 'in_process', ...times };
  }
  if (collection !== 'candidates') return { id: FIRST_OF_OTHERS + index, ...times };
  const [first_name, last_name] = PEOPLE[index % PEOPLE.length]!;
  return {
    id: FIRST_CANDIDATE + index,
    first_name,
    last_name,
    company: 'Docks Ltd',
    title: 'Rigger',
    email_addresses: [{ value: `${first_name.toLowerCase()}${index}@example.com`, type: 'personal' }],
    phone_numbers: [],
    tags: [],
    private: false,
    custom_fields: {},
    ...times,
  };
}

/** A filter on something that the made-up record does not have lets it pass. */
function passes(record: HarvestRecord, name: string, wanted: string): boolean {
  if (name === 'ids') return wanted.split(',').includes(String(record['id']));
  if (name === 'email') return JSON.stringify(record['email_addresses'] ?? '').includes(`"${wanted}"`);
  const several = /^(\w+_id)s$/.exec(name)?.[1];
  if (several !== undefined)
    return !(several in record) || wanted.split(',').includes(String(record[several]));
  if (!(name in record)) return true;
  const [, operator, bound] = /^(gte|gt|lte|lt)\|(.+)$/.exec(wanted) ?? [];
  if (operator !== undefined) return within(Date.parse(String(record[name])), operator, Date.parse(bound!));
  if (name === 'status' && wanted === 'active') return record[name] === 'in_process';
  return String(record[name]) === wanted;
}

function within(at: number, operator: string, bound: number): boolean {
  if (operator === 'gte') return at >= bound;
  if (operator === 'gt') return at > bound;
  return operator === 'lte' ? at <= bound : at < bound;
}
