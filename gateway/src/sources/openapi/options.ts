/** Settings of one OpenAPI source, as the configuration writes them. */
export interface OpenApiSettings {
  /** Path (relative to the configuration), http(s) or file URL, or `-` for standard input. */
  readonly document: string;
  /** OpenAPI Overlay 1.0 documents, applied in this order before anything is read. */
  readonly overlay?: string | readonly string[] | undefined;
  /** Request media types to prefer, best first; whole types or patterns such as `multipart/*`. */
  readonly contentTypes?: readonly string[] | undefined;
  /** Compile operations marked `x-internal` or `x-ms-visibility: internal`. Default false. */
  readonly includeInternal?: boolean | undefined;
  /** Compile deprecated operations. Default true. */
  readonly includeDeprecated?: boolean | undefined;
  /** Compile `x-ms-trigger` operations, which subscribe rather than act. Default false. */
  readonly includeTriggers?: boolean | undefined;
}

export type OpenApiConfig = string | OpenApiSettings;

/** Settings with every default filled in. */
export interface OpenApiOptions {
  readonly document: string;
  readonly overlays: readonly string[];
  readonly contentTypes: readonly string[];
  readonly includeInternal: boolean;
  readonly includeDeprecated: boolean;
  readonly includeTriggers: boolean;
}

export function resolveOptions(config: OpenApiConfig): OpenApiOptions {
  const settings: OpenApiSettings = typeof config === 'string' ? { document: config } : config;
  const { overlay } = settings;
  return {
    document: settings.document,
    overlays: overlay === undefined ? [] : typeof overlay === 'string' ? [overlay] : overlay,
    contentTypes: settings.contentTypes ?? [],
    includeInternal: settings.includeInternal ?? false,
    includeDeprecated: settings.includeDeprecated ?? true,
    includeTriggers: settings.includeTriggers ?? false,
  };
}
