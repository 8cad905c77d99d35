/**
 * @param service its name and address
 * @param setting that names it
 * @param cause error of a library, which may quote the password
 * @returns an Error that says what is wrong, and what to do
 */
export function explainFailure(
  service: string,
  setting: string,
  cause: unknown,
  password = '',
): Error {
  const correct = `Correct ${setting}.`;
  const start = `Start it, or correct ${setting}.`;
  const text = innermost(cause as Error);
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(text))
    return new Error(`${service}: there is no such host. ${correct}`);
  if (/EAUTH/.test(text))
    return new Error(`${service}: it refuses the user or the password. ${correct}`);
  if (/ECONNREFUSED/.test(text)) return new Error(`${service}: it refuses connections. ${start}`);
  if (/timeout|ETIMEDOUT/i.test(text)) return new Error(`${service}: it does not answer. ${start}`);
  const shown = [password, decodeURIComponent(password)]
    .filter((secret) => secret !== '')
    .reduce((hidden, secret) => hidden.replaceAll(secret, '…'), text);
  return new Error(`${service}: ${shown}. ${correct}`);
}

/** The libraries report the system's code in the code, in the message, or in a cause. */
function innermost(error: NodeJS.ErrnoException): string {
  if (error.cause instanceof Error) return innermost(error.cause);
  return [error.code ?? error.name, error.message.replace(/\.$/, '')].filter(Boolean).join(': ');
}
