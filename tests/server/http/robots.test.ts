import { expect, test } from 'vitest';
import { isBot } from '../../../server/http/robots.ts';

const ENGINE = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = `${ENGINE} Chrome/124.0.0.0 Mobile Safari/537.36`;

/** Models with a word of robots, in the part of the user agent that the maker chooses. */
const DEVICES = [
  'M bot 60',
  'M bot 60 Build/NRD90M',
  'M_bot_tab_71',
  'B BOT 550',
  'POWER BOT',
  'VR BOT 552',
  'ID bot 53+',
  'C Bot Tab 100',
  'XBot_Senior',
  'CUBOT_P20',
  'Spider 8',
  'Discovery SE',
  'iHunt S60 Discovery Pro 2022',
  'Radar Deluxe 2',
  'Capture+',
  'Newsday_A1',
  'ECHO JAVA',
  'AURII Virtuoso',
  'CG|EON Blaze GOLD',
  '4K Google TV Stick',
  'Google 2XL',
];

test.each(DEVICES)('a person with the device "%s" is no robot', (model) => {
  const current = `Mozilla/5.0 (Linux; Android 9; ${model}) ${CHROME}`;
  const inApp = `Mozilla/5.0 (Linux; Android 11; ${model}; wv) ${CHROME} [FB_IAB/FB4A;FBAV/400.0;]`;
  const older = `Mozilla/5.0 (Linux; U; Android 4.2.2; es-es; ${model}) ${ENGINE} Version/4.0`;
  expect([current, inApp, older].filter((agent) => isBot(agent, agent))).toEqual([]);
});

const ROBOTS = [
  `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${CHROME} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  `Mozilla/5.0 (Linux; Android 7.0;) ${ENGINE} Mobile Safari/537.36 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)`,
  `Mozilla/5.0 (Linux; Android 5.0) ${ENGINE} Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)`,
  `Mozilla/5.0 (Linux; Android 11; moto g power (2022)) ${CHROME} Chrome-Lighthouse`,
  `Mozilla/5.0 (X11; Linux x86_64) ${ENGINE} HeadlessChrome/124.0.0.0 Safari/537.36`,
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
];

test.each(ROBOTS)('%s is a robot', (agent) => expect(isBot(agent, agent)).toBe(true));

test('a robot that hides from the page, and not in its requests, is a robot', () => {
  const page = `Mozilla/5.0 (Linux; Android 9; M bot 60) ${CHROME}`;
  expect(isBot(page, 'Googlebot/2.1')).toBe(true);
  expect(isBot('Googlebot/2.1', page)).toBe(true);
});
