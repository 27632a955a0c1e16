import type { JsonObject, Requirements, SecurityAlternative } from '../../operations/index.ts';
import type { DiagnosticLog } from './diagnostics.ts';
import type { PermissionSettings } from './options.ts';
import type { Place } from './place.ts';
import type { SecuritySchemes } from './security.ts';
import { UnnamedExtension } from './unnamed-extension.ts';

/** Read where the configuration names no other extension. */
const DEFAULT_EXTENSION = 'x-required-permissions';
/** What nobody holds: stands for permissions that cannot be read. */
const UNREADABLE = '(unreadable)';

/** Reads which permissions the document asks for, as far as the source's configuration wants to know. */
export class RequirementReading {
  readonly #settings: PermissionSettings | undefined;
  readonly #schemes: SecuritySchemes;
  readonly #log: DiagnosticLog;
  /** Operations that name permissions which nobody checks. */
  #unchecked = 0;
  /** Only where permissions are asked for. */
  readonly #extension: UnnamedExtension | undefined;

  constructor(settings: PermissionSettings | undefined, schemes: SecuritySchemes, log: DiagnosticLog) {
    this.#settings = settings;
    this.#schemes = schemes;
    this.#log = log;
    if (settings?.enabled) this.#extension = new UnnamedExtension(settings.extension ?? DEFAULT_EXTENSION);
  }

  of(operation: Place, security: readonly SecurityAlternative[]): Requirements | undefined {
    const { enabled = false, extension = DEFAULT_EXTENSION, scopes = false } = this.#settings ?? {};
    this.#extension?.saw(operation.node);
    const named = this.#named(operation, extension);
    if (!enabled) {
      if (named.length > 0) this.#unchecked += 1;
      return undefined;
    }
    const permissions = [...new Set([...named, ...(scopes ? this.#scopes(operation, security) : [])])];
    return permissions.length === 0 ? undefined : { permissions };
  }

  /** Says once what is not checked; call it when every operation was read. */
  finish(): void {
    this.#reportUnnamed();
    if (this.#unchecked === 0) return;
    const of = this.#unchecked === 1 ? '1 operation names' : `${this.#unchecked} operations name`;
    const off = this.#settings !== undefined;
    const message = off
      ? `${of} permissions that their callers must hold; the check is switched off, so the service alone decides.`
      : `${of} permissions that their callers must hold; they are not checked here. Write \`permissions: {}\` on the source to check them, with a probe that asks the service for the account's roles.`;
    this.#log.report('permissions-unchecked', 'info', message);
  }

  /** A misspelt extension asks nobody for anything. */
  #reportUnnamed(): void {
    const { unnamed, name } = this.#extension ?? {};
    if (unnamed === undefined) return;
    const message = `No operation names permissions by ${name}: none are asked for beyond those of \`rules\`.${unnamed}`;
    this.#log.report('permissions-unnamed', name === DEFAULT_EXTENSION ? 'info' : 'warning', message);
  }

  /** A list, or one text: names apart by commas or spaces. */
  #named({ node, pointer }: Place, extension: string): readonly string[] {
    const value = Object.hasOwn(node, extension) ? node[extension] : undefined;
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return value.split(/[\s,]+/).filter((name) => name !== '');
    if (isNames(value)) return value.map((name) => name.trim()).filter((name) => name !== '');
    const message = `${extension} must be a list of names; until it is, nobody may call this.`;
    if (this.#settings?.enabled)
      this.#log.report('permissions-unreadable', 'warning', message, `${pointer}/${extension}`);
    return [UNREADABLE];
  }

  /**
   * Scopes of OAuth 2 and OpenID Connect as `scope:NAME`. Of several ways to authenticate the first counts; where one
   * of them needs no scope, none is asked for.
   */
  #scopes({ pointer }: Place, security: readonly SecurityAlternative[]): readonly string[] {
    const ways = security.map((alternative) =>
      Object.entries(alternative).flatMap(([name, scopes]) =>
        this.#hasScopes(name) ? scopes.map((scope) => `scope:${scope}`) : [],
      ),
    );
    if (ways.length === 0 || ways.some((way) => way.length === 0)) return [];
    const first = ways[0]!;
    const same = (way: readonly string[]) =>
      way.length === first.length && way.every((scope) => first.includes(scope));
    if (!ways.every(same)) {
      const message = `There are several ways to authenticate, with other scopes; the first way's are asked for: ${first.join(', ')}.`;
      this.#log.report('scopes-alternative', 'info', message, `${pointer}/security`);
    }
    return first;
  }

  #hasScopes(scheme: string): boolean {
    const type = Object.hasOwn(this.#schemes, scheme) ? this.#schemes[scheme]!.type : undefined;
    return type === 'oauth2' || type === 'openIdConnect';
  }
}

function isNames(value: JsonObject[string]): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
