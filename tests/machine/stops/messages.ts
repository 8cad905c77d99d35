/** The sections of the messages. `before` makes a program say what the heading quotes. */
import { FREE_DISK, fillDisk, printed, READY, type Stop } from './stop.ts';

/** Starts a server besides the three until it says the text, on a data folder of its own unless `setting` names another. */
const serve = (setting: string, text: string): string =>
  `data=$(mktemp -d); chown site: $data
   export DATA_DIR=$data PORT=8081 METRICS_PORT=off ${setting}
   timeout 60 site serve > /root/said 2>&1 &
   until grep -qF '${text}' /root/said || ! kill -0 $!; do sleep 0.2; done
   kill $!; wait $!; cat /root/said`;

const LEDGER = '/var/lib/site/3001/clicks.jsonl';
const KEYS = '/etc/site/registrations.keys';
const DEFAULT_SITE = '/etc/nginx/sites-enabled/default';

/** Changes the file of the keys and restarts the first server, until it has printed the text. */
const withKeys = (change: string, text: string): Stop => ({
  before: `cp -p ${KEYS} /root/kept; ${change}; systemctl restart site@3001`,
  until: printed(text),
  after: `cp -p /root/kept ${KEYS}; systemctl restart site@3001`,
  over: READY,
});

export const MESSAGES: Record<string, Stop> = {
  '`There is no complete build`': {
    before: serve('DIST_DIR=/srv/none', 'There is no complete build'),
  },
  '`Another process is writing`': {
    before: serve('DATA_DIR=/var/lib/site/3001', 'Another process is writing'),
  },
  '`Another program listens on port`': {
    before: serve('PORT=3001', 'Another program listens on port'),
  },
  '`The server may not write in DATA_DIR`': {
    before: `chown root: ${LEDGER}; systemctl restart site@3001`,
    until: printed('The server may not write in DATA_DIR'),
    over: READY,
  },
  '`is not a variable of this project`': { before: 'LOG_IPS=full site check-config' },
  '`There are registrations, but not the keys`': withKeys(
    `rm ${KEYS}`,
    'The keys of the registrations cannot be read',
  ),
  '`encrypted with the key`': withKeys(
    `echo "k9:$(openssl rand -base64 32)" > ${KEYS}`,
    'encrypted with the key',
  ),
  '`No SMTP_URL`': { before: serve('SMTP_URL=', 'No SMTP_URL') },
  'nginx: `a duplicate default server`': {
    before: `echo 'server { listen 80 default_server; }' > ${DEFAULT_SITE}; nginx -t; rm ${DEFAULT_SITE}`,
  },
  '`Links still work. Correct the file`': {
    before: `echo '{' > /srv/campaigns; ${serve('CAMPAIGNS_FILE=/srv/campaigns', 'Links still work. Correct the file')}`,
  },
  '`MB are free on the disk of`': {
    before: fillDisk(60),
    until: printed('MB are free on the disk of'),
    after: FREE_DISK,
    over: printed('Enough space is free again'),
  },
  '`Not read, because no ledger file has such a name`': {
    before: `cp ${LEDGER} ${LEDGER}.copy; site clicks verify; rm ${LEDGER}.copy`,
  },
  '`was deleted or replaced while the server wrote it`': {
    before: `cp -p ${LEDGER} ${LEDGER}.copy; mv ${LEDGER}.copy ${LEDGER}`,
    until: printed('was deleted or replaced while the server wrote it'),
    // The server has written its lines again, so the replacement would have them a second time.
    after: `systemctl stop site@3001; rm ${LEDGER}-*; systemctl start site@3001`,
    over: READY,
  },
  '`PostgreSQL (host/database)`': {
    before: 'DATABASE_URL=postgres://site:wrong@127.0.0.1:5432/site site clicks verify',
  },
  '`If this repeats, another server uses a copy of this DATA_DIR`': {
    before: `site exec sh -c 'psql "$DATABASE_URL" -c "TRUNCATE clicks, clicks_per_day, ledger_positions"'`,
    until: printed('If this repeats, another server uses a copy of this DATA_DIR'),
    over: READY,
  },
  '`This server would do more than its page tells visitors`': {
    before: 'POSTHOG_SEND_IP=on site check-config',
  },
};
