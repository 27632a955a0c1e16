import type { ServerTls } from '../config/configuration.ts';
import type { ReadCertificate } from '../server/http/listening/server-certificate.ts';
import type { ReadSecret } from './compiling/source-reader.ts';

const PLACE = 'server.tls';

/** What the server shows to its clients, as files and variables say when it is asked; checked before it is used. */
export function serverCertificate(tls: ServerTls, read: ReadSecret): ReadCertificate {
  return async () => {
    const { idOfTexts, readTlsTexts, secureContext } = await import('../credentials/tls-identity.ts');
    const texts = await readTlsTexts(tls, PLACE, { read }, new AbortController().signal);
    await secureContext(texts, PLACE);
    const { certificate: cert, ...rest } = texts;
    return { id: idOfTexts(texts), options: { cert, ...rest } };
  };
}
