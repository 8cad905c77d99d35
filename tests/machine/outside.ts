/**
 * The world outside the machine: visitors, people who register, PostHog and an SMTP server. It first prints the settings for the
 * servers. Each line on standard input changes something, and is printed when that is done:
 * `visitors`, `person`, `posthog`, `quota`, `smtp`.
 */
import { createInterface } from 'node:readline';
import { startMailbox } from '../../rehearse/layout/mailbox.ts';
import { startPeople } from '../../rehearse/visitors/start-people.ts';
import { startVisitors } from '../../rehearse/visitors/start-visitors.ts';
import { startPosthogCapture } from '../helpers/fakes/posthog-capture/start-posthog-capture.ts';

const [, , site = ''] = process.argv;
const CLICKS_PER_SECOND = 2;
const REGISTER_EVERY_MS = 2000;

const posthog = await startPosthogCapture();
const mailbox = await startMailbox();
let hasMail = true;

const CHANGES: Record<string, () => unknown> = {
  visitors: () => startVisitors(site, CLICKS_PER_SECOND),
  people: () => startPeople(site, REGISTER_EVERY_MS),
  posthog: () => {
    posthog.world.isDown = !posthog.world.isDown;
  },
  quota: () => {
    posthog.world.isOverQuota = !posthog.world.isOverQuota;
  },
  smtp: () => {
    hasMail = !hasMail;
    return hasMail ? mailbox.comeBack() : mailbox.goAway();
  },
};

process.stdout.write(`POSTHOG_HOST=${posthog.url} SMTP_URL=${mailbox.url}\n`);
for await (const name of createInterface({ input: process.stdin })) {
  await CHANGES[name]?.();
  process.stdout.write(`${name}\n`);
}
process.exit();
