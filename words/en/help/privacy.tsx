/** The words of /help/privacy/ in English. */
import { LOG_DAYS } from '#contract/limits.ts';
import type { Facts, Site } from '#site.config.ts';
import { bullets, paragraphs } from '../../definitions.tsx';
import type { HelpSection, HelpWords } from '../../help.ts';
import {
  eventList,
  fieldList,
  propertyList,
  requestList,
  storedList,
  visitList,
} from '../../recorded.tsx';
import {
  lookupHost,
  otherDetails,
  pressDetails,
  privacyDetails,
  recordingSummary,
} from '../counting.ts';
import { optOut } from '../opt-out.ts';
import { recorded } from './recorded.ts';

export const privacy = (site: Site, facts: Facts) =>
  ({
    title: 'Your data, and what this site records',
    lead: `Your health records go to ${site.partnerName}, never to this site. ${recordingSummary(site)} We use no cookies. You can turn counting off, or have a press deleted.`,
    contents: [
      { section: 'stop', text: 'How to turn counting off' },
      { section: 'erase', text: 'How to have a press deleted' },
    ],
    sections: {
      counting: counting(site),
      stop: stop(site),
      kept: {
        heading: 'What we keep of one press',
        body: (
          <>
            <p>
              Each press of a sign-up button becomes one row in our records, and one line in a log.
              They have:
            </p>
            {fieldList(recorded(site))}
            <h3>What we keep of one visit</h3>
            <p>
              Each page that you open becomes one row. It has no address, and nothing of your
              browser:
            </p>
            {visitList(recorded(site))}
            <p>
              We divide the presses by the visits. We leave out presses of browsers that ask for
              privacy, and of browsers without JavaScript.
            </p>
          </>
        ),
      },
      sent: {
        heading: 'What your browser sends',
        body: (
          <>
            <p>It loads this site’s pages, with their pictures and scripts. It also sends:</p>
            {requestList(recorded(site), site)}
          </>
        ),
      },
      stored: {
        heading: 'What your browser stores',
        body: (
          <>
            <p>Only this site can read these entries.</p>
            {storedList(recorded(site), site)}
          </>
        ),
      },
      posthog: posthog(site),
      time: time(site),
      who: who(site, facts),
      erase: erase(site, facts),
    },
  }) satisfies HelpWords;

const counting = (site: Site): HelpSection => ({
  heading: 'What we count',
  body: (
    <>
      {paragraphs(pressDetails(site))}
      {site.posthogKey && <h3>What others learn</h3>}
      {paragraphs(otherDetails(site))}
      {privacyDetails(site).length > 0 && <h3>If your browser asks for privacy</h3>}
      {paragraphs(privacyDetails(site))}
    </>
  ),
});

const stop = (site: Site): HelpSection => ({
  heading: 'How to turn counting off',
  body: (
    <>
      <p>
        <a href="/#opt-out">Go to the end of the first page</a>, and press “{optOut(site).turnOff}”.
        The button needs JavaScript.
      </p>
      {bullets([
        'You lose nothing: every page and button still works.',
        'It works at once, for every page of this site in this browser.',
        'It deletes presses that wait in your browser, but not what has arrived.',
      ])}
    </>
  ),
});

const posthog = (site: Site): HelpSection | null =>
  site.posthogKey === null
    ? null
    : {
        heading: 'What PostHog gets',
        body: (
          <>
            {eventList(recorded(site), site)}
            <h3>What comes with each event</h3>
            {propertyList(recorded(site))}
          </>
        ),
      };

const time = ({
  clickRetentionDays,
  registrationRetentionDays,
  posthogKey,
  registerForm,
}: Site): HelpSection => ({
  heading: 'How long we keep it',
  body: bullets([
    clickRetentionDays > 0
      ? `We delete the row of a press or visit after about ${clickRetentionDays} days.`
      : 'We keep the row of a press or visit until we delete it. We have set no end.',
    `We delete our log files after about ${Math.min(LOG_DAYS, clickRetentionDays || LOG_DAYS)} days. They also have what we could not read as a press.`,
    'The system’s own log has each press without the address, for as long as we set there.',
    'The total counts stay, with nothing about you.',
    posthogKey && 'PostHog keeps its events for as long as our settings there say.',
    registerForm
      ? registrationRetentionDays > 0
        ? `We delete your registration after about ${registrationRetentionDays} days, or when you ask.`
        : 'Your registration stays until you or we delete it.'
      : null,
    'Copies for emergencies (backups) can exist for longer.',
  ]),
});

const who = (site: Site, { operator }: Facts): HelpSection => ({
  heading: 'Who sees it',
  body: bullets([
    `${operator ?? 'The team that runs this site'} sees all of it.`,
    'People who plan the initiative see counts. Everyone can see the total counts.',
    site.posthogKey && 'PostHog sees what it gets.',
    site.ipLookupUrl && `${lookupHost(site)} sees your network address.`,
    `From us, ${site.partnerName} gets only the code in your link and our own code, when you press.`,
    'No advertiser gets anything from this site.',
  ]),
});

const erase = ({ contactEmail, logIp, posthogKey }: Site, { phone }: Facts): HelpSection => ({
  heading: 'How to have a press deleted',
  body: (
    <>
      <p>
        Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        {phone && `, or call ${phone}`}. A press does not have your name. To find it, we need:
      </p>
      {bullets([
        'the day and the time, and your time zone',
        'which button you pressed, and on which page',
        'the link that you used, if you still have it',
      ])}
      {logIp !== 'none' && <p>Your network (IP) address on that day helps most, if you know it.</p>}
      <p>
        We then erase what leads to you from that row, and the line from our log files. The button,
        the time, a random number and the marks stay, so that the counts stay right. If many presses
        fit, we cannot tell which one is yours.
      </p>
      {posthogKey && <p>We also ask PostHog to delete what it has of that visit.</p>}
    </>
  ),
});
