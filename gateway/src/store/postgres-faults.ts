/** What a database says, in words: what happened, and what to do where the usual advice does not help. */
export interface Fault {
  readonly reason: string;
  readonly next?: string;
}

const ENCODE = 'in the address, @ / : # ? and % of a password are written %40 %2F %3A %23 %3F %25';
const AUTHORITY: Fault = {
  reason: "the server's certificate is of an authority that is not known here",
  next: 'Name the certificate of the authority in the address of `store:` with `sslrootcert=FILE`.',
};

export const READ_ONLY = {
  reason: 'the database is read-only, as a standby is',
  next: 'Name the primary in `store:`, or promote this one; a role with default_transaction_read_only cannot be used.',
} as const satisfies Fault;

/** Tables of which the role may not read, add, change and remove every row. */
export function missingRights(tables: readonly string[]): Fault {
  return {
    reason: `the role lacks rights to ${listed(tables)}`,
    next: 'As the owner of the tables: grant select, insert, update, delete on all tables in schema SCHEMA to ROLE. After an upgrade again.',
  };
}

function listed(tables: readonly string[]): string {
  const [first, second] = tables;
  return tables.length > 3 ? `${first}, ${second} and ${tables.length - 2} more tables` : tables.join(', ');
}

/** SQLSTATE (PostgreSQL, appendix A), and what Node says of certificates. */
const FAULTS: Readonly<Record<string, Fault>> = {
  '28P01': {
    reason: 'the password is not the one of this user',
    next: `Check the user and the password in \`store:\`, PGPASSWORD or the password file; ${ENCODE}.`,
  },
  '28000': {
    reason: 'the server does not let this user in from here',
    next: 'Look at its log and pg_hba.conf: it may want TLS (`?sslmode=verify-full`), a client certificate (`sslcert` and `sslkey`), or another user.',
  },
  '3D000': {
    reason: 'there is no such database',
    next: 'Create it, or correct the name at the end of the address in `store:`.',
  },
  '3F000': {
    reason: 'there is no such schema',
    next: "Create the schema that the role's search_path names, or correct search_path.",
  },
  '42P07': {
    reason: 'it has a table or an index of such a name already, which is none of ours',
    next: 'Give the store a database or a schema of its own, as with `?options=-c%20search_path%3DSCHEMA` in the address of `store:`.',
  },
  '42P01': {
    reason: 'a table is not there',
    next: "Check the role's search_path; `toolcrib store status` says which version is found.",
  },
  '42501': {
    reason: 'the role lacks a right',
    next: 'Grant it: gateways select, insert, update and delete rows of every table; `toolcrib store migrate` is for a role that may change tables.',
  },
  '25006': READ_ONLY,
  '53100': {
    reason: 'its disk is full',
    next: 'Make room on the disk of the database; a restart of the gateway is not needed.',
  },
  '53300': {
    reason: 'it has no connection left',
    next: 'Raise max_connections, or the limit of the role or database; each gateway takes up to eleven.',
  },
  '57P03': { reason: 'it is starting or stopping', next: 'Wait until it runs.' },
  '57P01': { reason: 'an administrator ended the connection' },
  '57P02': { reason: 'it crashed and starts anew' },
  '57014': {
    reason: 'the statement was cancelled, or took longer than statement_timeout',
    next: 'Look at what the database is busy with, its locks first.',
  },
  '55P03': {
    reason: 'somebody else holds a lock for longer than lock_timeout',
    next: 'Look at what holds locks in the database (pg_locks), then try again.',
  },
  '25P03': { reason: 'the transaction was idle for too long' },
  '57P05': { reason: 'the connection was idle for too long' },
  CERT_HAS_EXPIRED: {
    reason: "the server's certificate has expired",
    next: 'Give the server a new certificate; check the clock of this machine.',
  },
  CERT_NOT_YET_VALID: {
    reason: "the server's certificate is not valid yet",
    next: 'Check the clocks of the server and of this machine.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: "the server's certificate is for another name",
    next: 'Write the host in `store:` as the certificate has it.',
  },
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: {
    reason: 'the client key is not the one of the client certificate',
    next: 'Name the two that belong together with `sslcert` and `sslkey`.',
  },
};

/** What OpenSSL says, by the beginning of the code. */
const OPENSSL: ReadonlyArray<readonly [RegExp, Fault]> = [
  [
    /^ERR_SSL_.*ALERT/,
    {
      reason: 'the server ended TLS, mostly for the client certificate that it was shown or not shown',
      next: 'Its log says why; `sslcert` and `sslkey` name a certificate of an authority that it knows.',
    },
  ],
  [
    /^ERR_OSSL_/,
    {
      reason: 'a certificate or key that the address names cannot be used',
      next: 'Name PEM files with `sslrootcert`, `sslcert` and `sslkey`, and a key that no passphrase protects.',
    },
  ],
];

/** What the driver says in words alone. */
const MESSAGES: ReadonlyArray<readonly [RegExp, Fault]> = [
  [/is not queryable/, { reason: 'the connection broke' }],
  [
    /driver has already been destroyed/,
    {
      reason: 'the gateway stopped before the last could be written',
      next: 'Look at what the database is busy with. Calls whose end is missing get it from another gateway, or at the next start.',
    },
  ],
  [
    /server does not support SSL/,
    {
      reason: 'the server offers no TLS, and the address asks for it',
      next: 'Switch it on at the server (`ssl = on`); only where the network is yours alone, `sslmode=disable`.',
    },
  ],
  [
    /error establishing an SSL connection/,
    {
      reason: 'the server did not begin TLS',
      next: 'Check that a PostgreSQL listens there and let its log say why it refuses.',
    },
  ],
  [
    /client password must be a/,
    {
      reason: 'the server asks for a password, and none was given',
      next: 'Give one in `store:`, in PGPASSWORD, or in a password file that only its user can read (0600).',
    },
  ],
];

/** Undefined for what is no known fault of PostgreSQL. Holds no value, no statement and no name of the error. */
export function postgresFault(error: unknown): Fault | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const coded = typeof code === 'string' ? codedFault(code) : undefined;
  if (coded !== undefined) return { ...coded, reason: `${coded.reason} (${code})` };
  if (typeof message !== 'string') return undefined;
  return MESSAGES.find(([words]) => words.test(message))?.[1];
}

function codedFault(code: string): Fault | undefined {
  if (Object.hasOwn(FAULTS, code)) return FAULTS[code];
  return OPENSSL.find(([beginning]) => beginning.test(code))?.[1];
}
