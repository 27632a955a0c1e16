type Validated<Parameters> =
  | { readonly value: Parameters }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[] };

/** Parameters of a method that the SDK does not know, as it checks them (Standard Schema 1). */
export function parameterSchema<Parameters>(validate: (value: unknown) => Validated<Parameters>) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'toolcrib',
      validate,
      types: undefined as { input: unknown; output: Parameters } | undefined,
    },
  };
}
