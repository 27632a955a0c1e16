export type LeverRecord = Record<string, unknown>;

export interface LeverData {
  all(collection: string): readonly LeverRecord[];
  /** The person with one of these addresses, or a new one: candidacies of one person share a contact. */
  contactFor(candidacy: LeverRecord): LeverRecord;
  /** What is changed of a person shows in the person's candidacies. */
  updateContact(contact: LeverRecord, values: LeverRecord): LeverRecord;
  find(collection: string, id: string): LeverRecord | undefined;
  add(collection: string, values: LeverRecord): LeverRecord;
  /** False when there was nothing to remove. */
  remove(collection: string, id: string): boolean;
}

export function leverData(): LeverData {
  const collections = seed();
  const all = (collection: string) => {
    collections[collection] ??= [];
    return collections[collection];
  };
  const add = (collection: string, values: LeverRecord) => {
    const record = { id: crypto.randomUUID(), createdAt: 1777881600000, ...values };
    all(collection).push(record);
    return record;
  };
  return {
    all,
    contactFor(candidacy) {
      const emails = (candidacy['emails'] ?? []) as string[];
      const known = all('contacts').find((contact) =>
        (contact['emails'] as string[]).some((email) => emails.includes(email)),
      );
      return known ?? add('contacts', personOf(candidacy));
    },
    updateContact(contact, values) {
      Object.assign(contact, values);
      for (const opportunity of all('opportunities')) {
        if (opportunity['contact'] === contact['id']) Object.assign(opportunity, personOf(contact));
      }
      return contact;
    },
    find: (collection, id) => all(collection).find((record) => record['id'] === id),
    add,
    remove(collection, id) {
      const kept = all(collection).filter((record) => record['id'] !== id);
      const removed = kept.length < all(collection).length;
      collections[collection] = kept;
      return removed;
    },
  };
}

function personOf({ name, headline, location, emails = [], phones = [] }: LeverRecord): LeverRecord {
  return { name, headline, location, emails, phones };
}

function seed(): Record<string, LeverRecord[]> {
  const opportunity = (id: string, name: string, contact: string, email: string): LeverRecord => ({
    id,
    name,
    headline: 'Dockyard, Harbour Works',
    contact,
    emails: [email],
    phones: [{ value: '(123) 456-7891', type: 'mobile' }],
    links: ['https://shane.example.com'],
    tags: ['C++', 'San Diego'],
    sources: ['LinkedIn'],
    stage: 'lead-new',
    origin: 'sourced',
    archived: null,
    createdAt: 1767830400000,
    confidentiality: 'non-confidential',
  });
  const items = (...ids: readonly string[]) => ids.map((id) => ({ id, createdAt: 1767830400000 }));
  const opportunities = [
    opportunity(
      '250d8f03-738a-4bba-a671-8a3d73477145',
      'Shane Smith',
      '7f23e772-f2cb-4ebb-b33f-54b872999992',
      'shane@example.com',
    ),
    opportunity(
      '250d8f03-738a-4bba-a671-8a3d73477146',
      'Robin Hay',
      '7f23e772-f2cb-4ebb-b33f-54b872999993',
      'robin@example.com',
    ),
    opportunity(
      '250d8f03-738a-4bba-a671-8a3d73477147',
      'Ada Munro',
      '7f23e772-f2cb-4ebb-b33f-54b872999994',
      'ada@example.com',
    ),
  ];
  return {
    opportunities,
    deleted: [{ id: '250d8f03-738a-4bba-a671-8a3d73477100', deletedAt: 1767830400000 }],
    contacts: opportunities.map((candidacy) => ({ id: candidacy['contact'], ...personOf(candidacy) })),
    applications: items('cdb4ff14-f7da-4a14-8bd7-1b1ba4e9c1b4', 'cdb4ff14-f7da-4a14-8bd7-1b1ba4e9c1b5'),
    notes: items('bc9ea4a0-7a0c-4f2a-8c5e-3b4a31e0b8b1'),
    feedback: items('bbb99a4e-6c2e-4d2a-9a5b-7b6f0b1a7b11'),
    interviews: items('2cfb0a3e-0d5a-4d5b-9a41-5f8b6ad9d013'),
    panels: items('46b4b1a2-5f0d-4d0c-8e57-96d2e3f0b012'),
    resumes: items('8e3a2c6d-2c3f-4a6e-9b0d-1c1b0a0f9015'),
    files: items('a1b7c8d9-1e2f-4a3b-8c4d-5e6f7a8b9016'),
    postings: [{ id: 'f2f01e16-27f8-4711-a728-7d49499795a0', text: 'Crane operator', state: 'published' }],
    requisitions: [{ id: '452a3f3d-f4ee-4d27-8d5a-5a7e4e0e2c20', requisitionCode: 'CRANE-7' }],
    stages: [
      { id: 'lead-new', text: 'New lead' },
      { id: 'fff60592-31dd-4ebe-ba8e-e7a397c30f8e', text: 'Phone screen' },
    ],
    archive_reasons: [{ id: '63dd55b2-a99f-4e7b-985f-22c7bf80ab42', text: 'Hired' }],
    sources: [
      { text: 'LinkedIn', count: 2 },
      { text: 'Fair', count: 1 },
    ],
    tags: [{ text: 'C++', count: 3 }],
  };
}
