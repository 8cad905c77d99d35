/**
 * The SMTP server: replaces the last step of nodemailer's transport, and answers as the weather
 * says.
 */
import { createTransport } from 'nodemailer';
import { time } from './clock.ts';
import { random } from './random.ts';
import { pass } from './waits.ts';
import type { World } from './world.ts';

interface Message {
  messageId: string;
  to: { address: string }[];
  subject: string;
  text: string;
  date: Date;
}

export interface Delivered extends Message {
  at: number[];
  /** The world's count when a server last began to send it. */
  disturbances: number;
}

/** A count that the world never has. */
const NEVER_CALM = -1;

let world: World | null = null;

// Every transport has this prototype.
const transport = Object.getPrototypeOf(createTransport({})) as {
  sendMail(message: Message): Promise<void>;
};
transport.sendMail = async (message) => {
  if (world) await take(world, message);
};

/** From now on, this world's mails are delivered. */
export function openSmtp(of: World): void {
  world = of;
}

/** One mailbox of the pool does not exist. Its mails are refused for good. */
export const UNKNOWN_MAILBOX = 'nobody@mail.example';

const FAULTS = [
  { code: 'ECONNREFUSED', command: 'CONN' },
  { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 },
  { code: 'EMESSAGE', command: 'DATA', responseCode: 452 },
  { code: 'EAUTH', command: 'AUTH', responseCode: 535 },
  { code: 'lost', command: 'DATA' },
];

async function take(of: World, message: Message): Promise<void> {
  const { mails, book, disturbances } = of;
  await pass(random.pick([5, 80, 900]));
  const isFaulty = mails.isDown || random.chance(of.weather.mail);
  const fault = isFaulty ? random.pick(FAULTS) : null;
  if (fault && fault.code !== 'lost') throw Object.assign(new Error(fault.code), fault);
  if (message.to[0]?.address === UNKNOWN_MAILBOX)
    throw Object.assign(new Error('550'), { command: 'RCPT TO', responseCode: 550 });
  book.mailed(message);
  const before = mails.delivered.get(message.messageId);
  if (before && of.wasCalmSince(before.disturbances))
    book.complain(`a mail was sent twice without a cause: ${message.messageId}`);
  const at = [...(before?.at ?? []), time()];
  // Nodemailer has waits of its own, so that the server may have died before it sent the mail.
  const countThen = of.wasCalmSince(disturbances) ? disturbances : NEVER_CALM;
  mails.delivered.set(message.messageId, { ...message, at, disturbances: countThen });
  if (!fault) return;
  of.disturb();
  throw Object.assign(new Error('ETIMEDOUT'), { code: 'ETIMEDOUT', command: 'DATA' });
}
