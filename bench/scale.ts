/**
 * Measures what the ladder's steps take: one server, several servers, and a replicated stream. All parts and the load share this
 * machine, so the CPU time that each part spends on a click says more than clicks per second.
 *
 *   npm run bench:scale -- [--seconds 8] [--rounds 1] [--rows REGEX]     throughput, p99, CPU by part, what saturates first
 *   npm run bench:scale -- --day [--ack replicated] [--hour 10]          a day with 24 million clicks, ten seconds of each hour
 *   npm run bench:scale -- --full 1000000                                what commands and copies take with so many lines
 *
 * Linux; installs wrk, PostgreSQL, Redis, nginx, NATS, logrotate and libfaketime (Debian). Exits with 1 if a click is lost or double.
 */
import { parseArgs } from 'node:util';
import { playDay } from './scale-day.ts';
import { measureFull } from './scale-full.ts';
import { measureRows } from './scale-rows.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '1' },
    rows: { type: 'string', default: '' },
    day: { type: 'boolean', default: false },
    ack: { type: 'string', default: 'replicated' },
    hour: { type: 'string', default: '10' },
    full: { type: 'string' },
  },
});
const say = (text: string) => void process.stdout.write(`${text}\n`);

const faults = options.full
  ? await measureFull(Number(options.full), say)
  : options.day
    ? await playDay(
        { ack: options.ack === 'disk' ? 'disk' : 'replicated', hourS: Number(options.hour) },
        say,
      )
    : await measureRows(
        {
          seconds: Number(options.seconds),
          rounds: Number(options.rounds),
          rows: new RegExp(options.rows),
        },
        say,
      );
if (faults > 0) process.exitCode = 1;
