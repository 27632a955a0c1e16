import type { SecretReference } from '../../operations/index.ts';

/** Settings of one OpenAPI source, as the configuration writes them. */
export interface OpenApiSettings {
  /** Path (relative to the configuration), http(s) or file URL, or `-` for standard input. */
  readonly document: string;
  /** What the document's address wants to see, by header name; calls never carry it. */
  readonly headers?: Readonly<Record<string, SecretReference>> | undefined;
  /** OpenAPI Overlay documents (1.0 to 1.2), applied in this order before anything is read. */
  readonly overlay?: string | readonly string[] | undefined;
  /** Request media types to prefer, best first; whole types or patterns such as `multipart/*`. */
  readonly contentTypes?: readonly string[] | undefined;
  /** Compile operations marked `x-internal` or `x-ms-visibility: internal`. Default false. */
  readonly includeInternal?: boolean | undefined;
  /** Compile deprecated operations. Default true. */
  readonly includeDeprecated?: boolean | undefined;
  /** Compile `x-ms-trigger` operations, which subscribe rather than act. Default false. */
  readonly includeTriggers?: boolean | undefined;
  /** Where hints for models are read; a text is the file alone. */
  readonly hints?: string | HintsSettings | undefined;
  /** Absent: permissions that the document names are not asked for. */
  readonly permissions?: PermissionSettings | undefined;
}

export interface HintsSettings {
  /** The operator's own hints, laid over the document's; a path relative to the configuration, or a URL. */
  readonly file?: string | undefined;
  /** The specification extension in which operations have them. Default `x-llm-hints`. */
  readonly extension?: string | undefined;
}

export interface PermissionSettings {
  readonly enabled: boolean;
  /** Default `x-required-permissions`. */
  readonly extension?: string | undefined;
  /** OAuth scopes are permissions, too: `scope:NAME`. Default false. */
  readonly scopes?: boolean | undefined;
}

export type OpenApiConfig = string | OpenApiSettings;

/** Settings with every default filled in. */
export interface OpenApiOptions {
  readonly document: string;
  readonly headers?: Readonly<Record<string, SecretReference>>;
  readonly overlays: readonly string[];
  readonly contentTypes: readonly string[];
  readonly includeInternal: boolean;
  readonly includeDeprecated: boolean;
  readonly includeTriggers: boolean;
  readonly hints?: HintsSettings;
  readonly permissions?: PermissionSettings;
}

export function resolveOptions(config: OpenApiConfig): OpenApiOptions {
  const settings: OpenApiSettings = typeof config === 'string' ? { document: config } : config;
  const { headers, overlay, hints, permissions } = settings;
  return {
    document: settings.document,
    overlays: overlay === undefined ? [] : typeof overlay === 'string' ? [overlay] : overlay,
    contentTypes: settings.contentTypes ?? [],
    includeInternal: settings.includeInternal ?? false,
    includeDeprecated: settings.includeDeprecated ?? true,
    includeTriggers: settings.includeTriggers ?? false,
    ...(headers === undefined ? {} : { headers }),
    // Absent where nothing is said: fingerprints are made over these options.
    ...(hints === undefined ? {} : { hints: typeof hints === 'string' ? { file: hints } : hints }),
    ...(permissions === undefined ? {} : { permissions }),
  };
}
