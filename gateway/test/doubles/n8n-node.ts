export interface DoubleNode {
  readonly name: string;
  readonly type: string;
  readonly typeVersion?: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly webhookId?: string;
  readonly disabled?: boolean;
  readonly notes?: string;
  readonly position?: readonly [number, number];
  readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
}

/** Values of n8n's credentials, by their names. */
export type DoubleCredentials = Readonly<
  Record<
    string,
    | { readonly user: string; readonly password: string }
    | { readonly name: string; readonly value: string }
    | { readonly secret: string }
  >
>;
