/** A user name or a password before the host (URL standard, "includes credentials"). An address never holds one here. */
export function includesCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}
