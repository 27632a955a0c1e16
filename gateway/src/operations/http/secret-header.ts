const SECRET =
  /token|secret|password|authorization|authenticat|cookie|credential|api-?key|session|signature|csrf|xsrf/;
/** A token that leads on opens nothing. */
const LEADING_ON = /next|page|continuation|sync|delta/;

/** Whether what a header of this name says is a credential, or a session that a service opens. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET.test(lower) && !LEADING_ON.test(lower);
}
