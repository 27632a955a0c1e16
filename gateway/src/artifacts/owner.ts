/** Whose an artifact is, beside the operator's. */
export interface ArtifactOwner {
  readonly user: string;
  readonly organisation?: string;
}

/** As it stands with an artifact: two organisations may each have a user of that id. */
export function ownerText({ user, organisation }: ArtifactOwner): string {
  return JSON.stringify([organisation ?? null, user]);
}

/** Undefined for a text that names no user. */
export function readOwner(text: string): ArtifactOwner | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(read)) return undefined;
  const [organisation, user] = read as unknown[];
  if (typeof user !== 'string') return undefined;
  return typeof organisation === 'string' ? { user, organisation } : { user };
}
