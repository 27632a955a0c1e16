import { words } from '../operation-words.ts';

/** What Springfox and Etherpad add to a name says how it is called, not that it gets something. */
const METHOD_SUFFIX = /Using(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)(?:_\d+)?$/;
/** `UsersController_sendInvite` of NestJS and `TodoController.deleteAll` of LoopBack begin with who does it, not with what. */
const CONTROLLER = /^\w*Controller[._]/;

/** All words of a name but its controller's, whoever made it. */
export function namedWords(operationId: string): string[] {
  return words(operationId.replace(CONTROLLER, '').replace(METHOD_SUFFIX, ''));
}

/**
 * What an author called an operation, in words. What a framework made of method and path is no name: in
 * `send_mail_send_mail_get` (FastAPI) it stands after one, `getSend-mail` (Elysia, hono-openapi), `sendMailGet`
 * (OpenAPI Generator) and `send_mail_retrieve` (drf-spectacular) are nothing else.
 */
export function saidName(operationId: string, method: string, path: string): string[] {
  const called = method.toLowerCase();
  if (operationId.endsWith(`_${called}`)) {
    const fastApi = `${path.replace(/\W/g, '_')}_${called}`;
    if (operationId.endsWith(fastApi)) return words(operationId.slice(0, -fastApi.length));
  }
  const said = namedWords(operationId);
  return isOfPath(said, called, path) ? [] : said;
}

function isOfPath(said: readonly string[], method: string, path: string): boolean {
  const isWord = (word: string) => !/^\d+$/.test(word);
  const end = said.findLast(isWord) ?? '';
  // nearly every name says something else
  if (said[0] !== method && end !== method && end !== 'retrieve') return false;
  const steps = path.split('/').filter((step) => step !== '');
  const fixed = inOne(steps.filter((step) => !step.startsWith('{')));
  const whole = [fixed, inOne(steps)];
  if (fixed === '') return false;
  if (said[0] === method) return whole.includes(inOne(said.slice(1)));
  const rest = inOne(said.filter(isWord).slice(0, -1));
  if (end === method) return whole.includes(rest);
  const leadsToOne = steps.at(-1)?.startsWith('{') ?? true;
  return (
    method === 'get' && end === 'retrieve' && !leadsToOne && rest !== '' && ` ${fixed}`.endsWith(` ${rest}`)
  );
}

/** Words in one text; `by` joins what is named by a placeholder. */
function inOne(texts: readonly string[]): string {
  return texts
    .flatMap(words)
    .filter((word) => word !== 'by')
    .join(' ');
}
