/** The sections of the alerts. */
import {
  click,
  FREE_DISK,
  fillDisk,
  NOT_READY,
  printed,
  READY,
  RESTART,
  type Stop,
  withLine,
  withoutLine,
} from './stop.ts';

const DISK_FULL: Stop = {
  before: fillDisk(0),
  until: NOT_READY,
  after: FREE_DISK,
  over: `${READY}; ${printed('Clicks are kept again')}`,
};

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Below MIN_FREE_MB. At the last byte a server may name the full disk instead. */
const DISK_LOW: Stop = { ...DISK_FULL, before: fillDisk(8) };

/** Succeeds, and prints the figures, if they fulfil the condition of awk: `v` has the figures of the first server by name. */
const figures = (condition: string): string =>
  `curl -s http://127.0.0.1:13001/metrics | awk '{ v[$1] = $2 } /^(site_ledger_fsync|nodejs_eventloop_lag_p99|process_)/; END { exit !(${condition}) }'`;

export const ALERTS: Record<string, Stop> = {
  SiteServerDown: {
    // The first ends, the second hangs.
    before:
      'systemctl kill --signal=KILL site@3001; systemctl kill --signal=STOP site@3002; sleep 0.3',
    over: `journalctl -u site@3002 -o cat --since "$BEGAN" | grep 'Watchdog timeout' && (${READY}) && ${printed('Server listening at http://127.0.0.1:3001')}`,
  },
  SiteNotReady: DISK_LOW,
  SiteClicksFail: {
    ...DISK_FULL,
    until: `${NOT_READY} && tail -n 3 /var/log/nginx/site-failures.log | grep ' 503 POST '`,
  },
  SiteClicksRejected: {
    before: `curl -s -H 'content-type: application/json' -d '{"event":"nonsense"' http://127.0.0.1:3001/api/log-cta`,
  },
  SiteLedgerSlow: {
    // Each fdatasync of the first server takes 0.6 s more.
    before: `strace -f -qq -p $(systemctl show -p MainPID --value site@3001) -o /dev/null \\
        -e trace=fdatasync,fsync -e inject=fdatasync,fsync:delay_exit=600000 > /root/strace 2>&1 &`,
    until: figures(
      'v["site_ledger_fsync_seconds_bucket{le=\\"0.5\\"}"] < 0.99 * v["site_ledger_fsync_seconds_count"]',
    ),
    after: 'pkill strace',
    over: READY,
  },
  SiteLedgerChanged: {
    before: `systemctl stop site@3001
      mkdir -p /backups/2026-01-31/3001
      cp /var/lib/site/3001/clicks.jsonl /backups/2026-01-31/3001
      head -n 3 /backups/2026-01-31/3001/clicks.jsonl > /var/lib/site/3001/clicks.jsonl
      systemctl start site@3001`,
    until: `curl -s http://127.0.0.1:3001/healthz | grep 'The ledger lacks lines'`,
    after: 'rm -r /backups/2026-01-31',
    over: `${READY} && ! curl -s http://127.0.0.1:3001/healthz | grep 'The ledger lacks lines'`,
  },
  SiteIndexBehind: {
    after: `systemctl stop 'site@*'
      site clicks rebuild
      systemctl start site@3001 site@3002 site@3003`,
    over: READY,
  },
  SiteDiskFillsUp: DISK_FULL,
  SiteDiskFull: DISK_LOW,
  SitePostgresAway: {
    before: "systemctl kill --signal=KILL 'postgresql@*'",
    until: NOT_READY,
    after: 'systemctl restart postgresql',
    over: `${READY}; ${printed('Clicks are kept again')} && ${printed('The receipts of PostHog can be read and written again')}`,
  },
  SiteRedisAway: {
    before: 'systemctl stop redis-server',
    until: 'curl -s http://127.0.0.1:3001/healthz | grep Redis',
    after: 'systemctl start redis-server',
    over: printed('Redis is back'),
  },
  SitePosthogBehind: {
    outside: 'posthog',
    until:
      "curl -s http://127.0.0.1:13001/metrics | grep '^site_posthog_failing 1' && curl -s http://127.0.0.1:3001/healthz | grep -F '[\"PostHog'",
    over: printed('Events reach PostHog again'),
  },
  SitePosthogRefuses: {
    outside: 'quota',
    until: `curl -s http://127.0.0.1:3001/healthz | grep quota && ${printed('billing_limit_exceeded')}`,
    over: printed('Events reach PostHog again'),
  },
  SiteMailsWait: {
    outside: 'smtp',
    until: printed('Mails cannot be sent'),
    after: RESTART,
    over: 'site registrations list | tail -n 3; ! site registrations list | grep waits',
  },
  SiteEventLoopSlow: {
    before: `systemctl restart site@3001
      for turn in $(seq 10); do
        systemctl kill --signal=STOP site@3001; sleep 0.4; systemctl kill --signal=CONT site@3001; sleep 0.1
      done`,
    until: figures('v["nodejs_eventloop_lag_p99_seconds"] > 0.2'),
    after: 'systemctl restart site@3001',
    over: READY,
  },
  SiteMemoryHigh: {},
  SiteDescriptorsHigh: {
    before: `${withLine('3001', 'LimitNOFILE=64')}
      (for connection in $(seq 14); do exec {held}<>/dev/tcp/127.0.0.1/3001; done; sleep 20) > /root/held 2>&1 &`,
    until: figures('v["process_open_fds"] > 0.8 * v["process_max_fds"]'),
    after: withoutLine('3001'),
    over: READY,
  },
  SiteClockSuspect: {
    before: withLine(
      '3003',
      `Environment=LD_PRELOAD=${FAKETIME} FAKETIME=+30d FAKETIME_DONT_FAKE_MONOTONIC=1`,
    ),
    until: printed('days more than expected'),
    after: withoutLine('3003'),
    over: READY,
  },
  SiteVisitorsReportLoss: {
    before: click({ dropped: 2 }),
    until:
      "curl -s http://127.0.0.1:13001/metrics | grep '^site_clicks_dropped_by_browsers_total [1-9]'",
  },
};
