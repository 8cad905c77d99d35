import { onTestFinished } from 'vitest';
import { type Behaviour, openSmtpServer } from './open-smtp-server.ts';

/** Starts a real SMTP server until the end of the test. @throws if the port is taken */
export async function startSmtpServer(behaviour: Behaviour = {}) {
  const server = await openSmtpServer(behaviour);
  onTestFinished(server.close);
  return server;
}
