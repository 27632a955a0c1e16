import { createSecretReader, type Environment } from '../credentials/secret-reference.ts';
import type { Egress } from '../egress/index.ts';
import { ToolcribError } from '../errors.ts';
import type { SecretReference } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import type { ArtifactLimits, ArtifactStore } from './artifact.ts';
import type { ArtifactBytes } from './artifact-bytes.ts';
import { createDirectoryBytes } from './directory-bytes.ts';
import { createArtifactStore } from './directory-store.ts';
import { failuresTold } from './failures-told.ts';
import { createIndexedArtifacts } from './indexed-store.ts';
import { bucketUrl, createS3Bytes, type S3Address } from './s3-bytes.ts';
import { timelyPut } from './timely-put.ts';

interface S3Settings extends S3Address {
  readonly accessKeyId: SecretReference;
  readonly secretAccessKey: SecretReference;
  readonly sessionToken?: SecretReference;
}

interface ArtifactsOptions {
  /** Where descriptions stand; undefined with `store: none`. */
  readonly store: Store | undefined;
  /** Where bytes lie: an absolute path, or a bucket. */
  readonly place: string | S3Settings;
  readonly egress: Pick<Egress, 'request'>;
  readonly env: Environment;
  /** Takes secrets out of names that services gave, and is told the secrets of the bucket. */
  readonly redactor: { add(secret: string): void; redact<T>(value: T): T };
  readonly limits?: ArtifactLimits;
  /** Milliseconds that a call waits for its output to be stored. */
  readonly patienceMs?: number;
  /** Told of the first output of several that could not be stored. */
  readonly failed?: (error: unknown) => void;
}

/** The artifacts of a gateway. Throws `configuration_invalid` for a bucket without a store: nothing would list it. */
export function createArtifacts(options: ArtifactsOptions): ArtifactStore {
  const artifacts = placed(options);
  const put = failuresTold(timelyPut(artifacts.put, options.patienceMs), options.failed ?? (() => undefined));
  return withCleanNames({ ...artifacts, put }, options.redactor);
}

function placed({ store, place, limits = {}, ...parts }: ArtifactsOptions): ArtifactStore {
  if (store !== undefined)
    return createIndexedArtifacts({ store, bytes: bytesAt(place, parts), place: nameOf(place), limits });
  if (typeof place === 'string') return createArtifactStore(place, limits);
  throw new ToolcribError('configuration_invalid', 'Artifacts in S3 need a store, and store is none.', {
    pointer: '#/artifacts/store',
  });
}

/** As it stands with each artifact. */
function nameOf(place: string | S3Settings): string {
  return typeof place === 'string' ? place : bucketUrl(place);
}

function bytesAt(
  place: string | S3Settings,
  { egress, env, redactor }: Pick<ArtifactsOptions, 'egress' | 'env' | 'redactor'>,
): ArtifactBytes {
  if (typeof place === 'string') return createDirectoryBytes(place);
  const { accessKeyId, secretAccessKey, sessionToken, ...address } = place;
  const secrets = createSecretReader(env, (secret) => redactor.add(secret));
  return createS3Bytes({
    egress,
    address,
    async keys(signal) {
      const key = (reference: SecretReference, name: string, nature: 'secret' | 'public' = 'secret') =>
        secrets.read(reference, `artifacts.store.s3.${name}`, signal, nature);
      return {
        accessKeyId: await key(accessKeyId, 'accessKeyId', 'public'),
        secretAccessKey: await key(secretAccessKey, 'secretAccessKey'),
        ...(sessionToken === undefined ? {} : { sessionToken: await key(sessionToken, 'sessionToken') }),
      };
    },
  });
}

/** File names come from services: one may repeat what it was sent. */
function withCleanNames(artifacts: ArtifactStore, redactor: ArtifactsOptions['redactor']): ArtifactStore {
  return {
    ...artifacts,
    put: (bytes, description) =>
      artifacts.put(bytes, {
        ...description,
        name: redactor.redact(description.name),
        mimeType: redactor.redact(description.mimeType),
      }),
  };
}
