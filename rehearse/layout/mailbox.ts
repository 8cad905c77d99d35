/** The SMTP server outside, which can go away and come back with its mails. */
import { openSmtpServer, type Received } from '../../tests/helpers/fakes/open-smtp-server.ts';

/** A mail that arrived, with the time in milliseconds since 1970. */
export interface ArrivedMail {
  to: string;
  at: number;
}

export async function startMailbox() {
  const arrived: ArrivedMail[] = [];
  const open = async (port: number) => {
    const server = await openSmtpServer({
      port,
      data: () => {
        const mail = server.received.at(-1) as Received;
        arrived.push({ to: mail.envelope.to[0] ?? '', at: Date.now() });
        return 250;
      },
    });
    return server;
  };
  let server = await open(0);
  const { port, url } = server;
  return {
    arrived,
    url,
    /** Connections are refused from now on. */
    goAway: () => server.close(),
    async comeBack() {
      server = await open(port);
    },
    close: () => server.close(),
  };
}
