import { readFileSync } from 'node:fs';

const FILE = '/usr/share/gocode/src/github.com/prometheus/alertmanager/api/v2/restapi/embedded_spec.go';

/**
 * The Swagger 2.0 document of Alertmanager's API v2, as text. The daemon does not serve it; Debian's
 * golang-github-prometheus-alertmanager-dev holds it as a Go raw string (which knows no escapes).
 */
export function embeddedSwagger() {
  const [, text] =
    /\bSwaggerJSON = json\.RawMessage\(\[\]byte\(`([^`]*)`\)\)/.exec(readFileSync(FILE, 'utf8')) ?? [];
  if (text === undefined) throw new Error(`${FILE} holds no SwaggerJSON in the form that this script knows`);
  const { swagger, paths } = JSON.parse(text);
  if (swagger !== '2.0' || paths['/silences'] === undefined)
    throw new Error(`${FILE}: not the document expected`);
  return text;
}
