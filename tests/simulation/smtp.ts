/**
 * Simulates the SMTP server: replaces the function of nodemailer's transport that sends a mail.
 * Fails with the probability of the weather.
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
  /** Times at which the SMTP server has accepted the mail. */
  at: number[];
  /** `world.disturbances` when a server last began to send the mail. */
  disturbances: number;
}

/** A number that `world.disturbances` never has. */
const NEVER_CALM = -1;

let world: World | null = null;

// Every transport has this prototype.
const transport = Object.getPrototypeOf(createTransport({})) as {
  sendMail(message: Message): Promise<void>;
};
transport.sendMail = async (message) => {
  if (world) await deliver(world, message);
};

/** From now on, delivers the mails of this world. */
export function openSmtp(newWorld: World): void {
  world = newWorld;
}

/** An address that does not exist: the SMTP server rejects mails to it for good. */
export const UNKNOWN_MAILBOX = 'nobody@mail.example';

const FAULTS = [
  { code: 'ECONNREFUSED', command: 'CONN' },
  { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 },
  { code: 'EMESSAGE', command: 'DATA', responseCode: 452 },
  { code: 'EAUTH', command: 'AUTH', responseCode: 535 },
  { code: 'lost', command: 'DATA' },
];

/** Accepts a mail and notes it, or fails. With the fault `lost`, only the answer is lost. */
async function deliver(toWorld: World, message: Message): Promise<void> {
  const { mails, book, disturbances } = toWorld;
  await pass(random.pick([5, 80, 900]));
  const isFaulty = mails.isDown || random.chance(toWorld.weather.mail);
  const fault = isFaulty ? random.pick(FAULTS) : null;
  if (fault && fault.code !== 'lost') throw Object.assign(new Error(fault.code), fault);
  if (message.to[0]?.address === UNKNOWN_MAILBOX)
    throw Object.assign(new Error('550'), { command: 'RCPT TO', responseCode: 550 });
  book.mailed(message);
  const before = mails.delivered.get(message.messageId);
  if (before && toWorld.wasCalmSince(before.disturbances))
    book.complain(`a mail was sent twice without a cause: ${message.messageId}`);
  const at = [...(before?.at ?? []), time()];
  // Nodemailer waits in between, so that the server may have died before it sent the mail.
  const countThen = toWorld.wasCalmSince(disturbances) ? disturbances : NEVER_CALM;
  mails.delivered.set(message.messageId, { ...message, at, disturbances: countThen });
  if (!fault) return;
  toWorld.disturb();
  throw Object.assign(new Error('ETIMEDOUT'), { code: 'ETIMEDOUT', command: 'DATA' });
}
