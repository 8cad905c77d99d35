/** Faults of short links and of the clicks that visitors send. */
import {
  answerOf,
  atPath,
  MAINTENANCE,
  NOT_FOUND,
  type PlantedFault,
  redirectTo,
} from './plant.ts';

export const COUNTING_FAULTS: PlantedFault[] = [
  {
    name: 'a cache answers every short link with the ref of another one',
    plant: atPath(/^\/r\//, () => redirectTo('/?ref=clinic-9')),
    named: /a short link leads to \/\?ref=clinic-9 and loses its code/,
  },
  {
    name: 'short links are away',
    plant: atPath(/^\/r\//, () => answerOf(404, NOT_FOUND)),
    named: /a short link answers 404/,
  },
  {
    name: 'a firewall refuses clicks',
    plant: atPath('/api/log-cta', () => answerOf(403, 'Request blocked')),
    named: /a click is answered with 403 Request blocked instead of "logged"/,
  },
  {
    name: 'a click is answered with a page',
    plant: atPath('/api/log-cta', () => answerOf(200, MAINTENANCE)),
    named: /a click is answered with 200 <!doctype html><title>Back soon/,
  },
  {
    name: 'the server keeps no clicks',
    plant: atPath('/api/log-cta', () => answerOf(503, '{"error":{"code":"unavailable"}}')),
    named: /a click is answered with 503/,
  },
  {
    name: 'clicks are sent to another host',
    plant: atPath('/api/log-cta', () => ({
      ...redirectTo('https://www.site.example/api/log-cta'),
      status: 308,
    })),
    named: /a click is answered with 308 to https:\/\/www\.site\.example\/api\/log-cta/,
  },
  {
    name: 'clicks get no answer',
    plant: atPath('/api/log-cta', () => 'silence'),
    isSilent: true,
    named: /a click gets no answer \(timeout\)/,
  },
];
