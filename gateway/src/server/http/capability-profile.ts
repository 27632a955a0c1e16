import { type AccessLevel, allowsReading, type Grants } from '../../operations/index.ts';
import type { CapabilityProfile, SourceProfile } from './admin/gateway-admin.ts';

/** Categories that a profile always names, connected or not. */
const CATEGORIES = ['ats', 'crm', 'email', 'calendar'] as const;

/** From most to least: several sources of a category come to the best of them. */
const ORDER: readonly AccessLevel[] = ['read-write', 'read-only', 'none', 'disabled'];

interface ProfiledSource {
  readonly name: string;
  readonly provider?: string;
  readonly category: string;
  readonly integration?: string;
}

/**
 * What grants come to, per source and per category. A category without a source has `none`; one that is switched
 * off everywhere `disabled`.
 */
export function capabilityProfile(sources: readonly ProfiledSource[], grants: Grants): CapabilityProfile {
  const profiles = sources.map(({ name, provider, category, integration }): SourceProfile => {
    const grant = grants.source(name);
    return {
      name,
      ...(provider === undefined ? {} : { provider }),
      category,
      level: grant?.level ?? 'none',
      connection: grant?.connection ?? 'missing',
      ...(integration === undefined ? {} : { integration }),
    };
  });
  const categories = new Set([...CATEGORIES, ...profiles.map(({ category }) => category)]);
  const effectiveAccess = Object.fromEntries(
    [...categories].map((category) => [category, best(profiles.filter((one) => one.category === category))]),
  );
  const { roles, since } = grants;
  return { roles, ...(since === undefined ? {} : { since }), sources: profiles, effectiveAccess };
}

function best(sources: readonly SourceProfile[]): AccessLevel {
  return ORDER.find((level) => sources.some((source) => source.level === level)) ?? 'none';
}

/** The profile in the spelling of its first clients: what they need to choose tools. */
export function skillsConfig({ sources, effectiveAccess }: CapabilityProfile): SkillsConfig {
  const usable = (category: string) =>
    sources.find(
      (source) =>
        source.category === category && source.connection === 'connected' && allowsReading(source.level),
    );
  const named = (category: string) => {
    const source = usable(category);
    return source === undefined ? null : (source.provider ?? source.name);
  };
  return {
    hasATS: usable('ats') !== undefined,
    atsProvider: named('ats'),
    hasCRM: usable('crm') !== undefined,
    crmProvider: named('crm'),
    hasEmail: usable('email') !== undefined,
    emailProvider: named('email'),
    hasCalendar: usable('calendar') !== undefined,
    calendarProvider: named('calendar'),
    effectiveAccess,
  };
}

export interface SkillsConfig {
  readonly hasATS: boolean;
  readonly atsProvider: string | null;
  readonly hasCRM: boolean;
  readonly crmProvider: string | null;
  readonly hasEmail: boolean;
  readonly emailProvider: string | null;
  readonly hasCalendar: boolean;
  readonly calendarProvider: string | null;
  readonly effectiveAccess: Readonly<Record<string, AccessLevel>>;
}
