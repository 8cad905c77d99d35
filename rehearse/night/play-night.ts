/** Plays a script of disasters on the running layout, and gathers what became of every click. */
import type { AlertSpan } from '../layout/alerting.ts';
import type { Layout } from '../layout/start-layout.ts';
import { USER_AGENT } from '../visitors/browser.ts';
import { type Registered, startPeople } from '../visitors/start-people.ts';
import { startVisitors, type Visitors } from '../visitors/start-visitors.ts';
import { DISASTERS, type Disaster } from './disasters.ts';
import { followLedgers } from './follow-ledgers.ts';
import { readIndex, readLedgers, readPosthog, untilAtPosthog, untilMailed } from './gather.ts';
import { type Evidence, type Journey, journeysOf } from './journey.ts';
import type { Script } from './scripts.ts';
import { judge, type Verdict } from './verdict.ts';

/** A disaster with its time, in milliseconds since 1970. */
export interface Struck extends Pick<Disaster, 'label' | 'what'> {
  from: number;
  to: number;
}

export interface Night {
  journeys: Journey[];
  struck: Struck[];
  /** Disasters that this machine cannot play, each with the reason. */
  skipped: string[];
  verdict: Verdict;
  /** Null: Prometheus is not installed. */
  alerts: AlertSpan[] | null;
  /** First mail to each person. */
  mails: { registeredAt: number; at: number }[];
  /** Number of answers by status; 0: no answer. */
  answers: [status: number, count: number][];
  /** Milliseconds since 1970. */
  from: number;
  lastClickAt: number;
  to: number;
}

/** @param say called with a line for the person who watches */
export async function playNight(
  layout: Layout,
  script: Script,
  say: (line: string) => void,
): Promise<Night> {
  const from = Date.now();
  const follower = followLedgers(layout.servers.map(({ ledger }) => ledger));
  const visitors = startVisitors(layout.url, script.clicksPerSecond);
  const people = startPeople(layout.url, script.registrationEveryMs);
  try {
    const { struck, skipped } = await playAll(layout, script, visitors, say);
    const lastClickAt = Date.now();
    say('The last click is made. Waiting until every click has arrived everywhere');
    await settle(layout, visitors, people, script);
    await follower.stop();
    const evidence: Evidence = {
      ...{ made: visitors.made, confirmed: visitors.confirmed, seen: follower.lines },
      ...(await readIndex(layout)),
      ledgers: await readLedgers(layout),
      events: readPosthog(layout),
    };
    const journeys = journeysOf(evidence, (userAgent) => userAgent === USER_AGENT);
    const mails = mailsOf(layout, people.people);
    const to = Date.now();
    return {
      ...{ journeys, struck, skipped, from, lastClickAt, to },
      alerts: (await layout.alerting?.between(from, to)) ?? null,
      verdict: judge(journeys, evidence, mails),
      answers: [...visitors.answers],
      mails: mails.flatMap(({ registeredAt, firstAt }) =>
        registeredAt !== null && firstAt !== null ? [{ registeredAt, at: firstAt }] : [],
      ),
    };
  } finally {
    people.close();
    visitors.close();
  }
}

async function playAll(
  layout: Layout,
  script: Script,
  visitors: Visitors,
  say: (line: string) => void,
) {
  const struck: Struck[] = [];
  const skipped: string[] = [];
  await visitors.untilMade(script.calm);
  for (const name of script.disasters) {
    const disaster: Disaster = DISASTERS[name];
    const obstacle = disaster.obstacle?.(layout) ?? null;
    if (obstacle) {
      skipped.push(`${disaster.label.join(' ')}, because ${obstacle}`);
      continue;
    }
    say(disaster.what);
    struck.push(await play(layout, disaster, visitors, script));
    await visitors.untilMade(script.calm);
  }
  return { struck, skipped };
}

async function play(
  layout: Layout,
  disaster: Disaster,
  visitors: Visitors,
  { during }: Script,
): Promise<Struck> {
  const from = Date.now();
  await disaster.strike(layout);
  await visitors.untilMade(during);
  await disaster.repair(layout);
  return { label: disaster.label, what: disaster.what, from, to: Date.now() };
}

/** Ends the clicks, and gives everything the time to arrive. The verdict names what has not. */
async function settle(
  layout: Layout,
  visitors: Visitors,
  people: ReturnType<typeof startPeople>,
  { patienceMs }: Script,
): Promise<void> {
  visitors.stopClicking();
  people.stop();
  await visitors.untilConfirmed(patienceMs);
  await untilAtPosthog(layout, visitors.made, patienceMs);
  await untilMailed(layout, people.people, patienceMs);
}

/** The mails to each person who has registered. */
function mailsOf({ mailbox }: Layout, people: readonly Registered[]) {
  return people.map(({ email, at: registeredAt }) => {
    const arrived = mailbox.arrived.filter(({ to }) => to === email);
    return { email, registeredAt, mails: arrived.length, firstAt: arrived[0]?.at ?? null };
  });
}
