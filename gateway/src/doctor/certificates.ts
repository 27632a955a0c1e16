import type { Configuration, Environment } from '../config/index.ts';
import type { SecretReader } from '../credentials/secret-reference.ts';
import { createSecretReader } from '../credentials/secret-reference.ts';
import { asToolcribError } from '../errors.ts';
import type { TlsSettings } from '../operations/index.ts';
import type { Finding } from './finding.ts';

/** A certificate that ends sooner than this is told, milliseconds. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000;

/** What one place of the configuration names, and what it is called there. */
interface Named {
  readonly check: string;
  readonly place: string;
  readonly tls: TlsSettings;
  readonly noun: string;
  /** From when on new files count. */
  readonly counts: string;
}

/** Whether the certificates of the server and of sources can be used, and until when. Nothing is sent. */
export async function checkCertificates(configuration: Configuration, env: Environment): Promise<Finding[]> {
  const named = namedIn(configuration);
  if (named.length === 0) return [];
  const secrets = createSecretReader(env, () => undefined);
  return Promise.all(named.map((one) => checkCertificate(one, secrets)));
}

function namedIn({ server, sources }: Configuration): Named[] {
  const ofServer: Named[] =
    server.tls === undefined
      ? []
      : [
          {
            check: 'certificate of the server',
            place: 'server.tls',
            tls: server.tls,
            noun: 'certificate',
            counts: 'within a minute',
          },
        ];
  const ofSources = Object.entries(sources).flatMap(([source, { tls }]): Named[] => {
    if (tls === undefined) return [];
    return [
      {
        check: `certificate of ${source}`,
        place: `sources.${source}.tls`,
        tls,
        noun: 'client certificate',
        counts: 'with the next call',
      },
    ];
  });
  return [...ofServer, ...ofSources];
}

async function checkCertificate(named: Named, secrets: SecretReader): Promise<Finding> {
  const { check, place, tls } = named;
  const { certificatesIn, readTlsTexts, secureContext } = await import('../credentials/tls-identity.ts');
  try {
    const texts = await readTlsTexts(tls, place, secrets, new AbortController().signal);
    await secureContext(texts, place);
    if (texts.certificate === undefined) return { check, status: 'ok', message: 'its authority can be read' };
    const [own] = certificatesIn(texts.certificate, `${place}.certificate`);
    return validity(named, own!.validToDate);
  } catch (error) {
    const { message, next } = asToolcribError(error);
    return { check, status: 'error', message, next };
  }
}

function validity({ check, noun, counts }: Named, until: Date): Finding {
  const day = until.toISOString().slice(0, 10);
  const left = until.getTime() - Date.now();
  const next = `Have it renewed; new files count ${counts}.`;
  if (left <= 0) return { check, status: 'error', message: `The ${noun} ended on ${day}.`, next };
  if (left < SOON_MS) return { check, status: 'warning', message: `The ${noun} ends on ${day}.`, next };
  return { check, status: 'ok', message: `the ${noun} is valid until ${day}` };
}
