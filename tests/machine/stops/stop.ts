import { makeBody } from '../../helpers/server/server-app.ts';

/** A section of the runbook on the walk: how its fault begins, and how it ends. Each part is lines of bash as root. */
export interface Stop {
  /** Brings the fault about. */
  before?: string;
  /** Changes outside the machine, of outside.ts. They begin before `until`, and end before `over`. */
  outside?: 'posthog' | 'quota' | 'smtp';
  /** Repeated until it succeeds, then the section's commands follow. */
  until?: string;
  /** Removes the fault, as the section says. */
  after?: string;
  /** Repeated until it succeeds: the section's "Over". */
  over?: string;
}

/** Succeeds, and prints the lines, if a server has printed the text since the section began. `$BEGAN` is that time. */
export const printed = (text: string): string =>
  `journalctl -u 'site@*' -o cat --since "$BEGAN" | grep -F '${text}'`;

export const READY =
  'for port in 3001 3002 3003; do curl -sf http://127.0.0.1:$port/readyz || exit 1; done';
export const NOT_READY = '! curl -sf http://127.0.0.1:3001/readyz';
export const RESTART = 'for port in 3001 3002 3003; do systemctl restart site@$port; done';

/** Fills the disk of the data folders, and leaves so many megabytes. */
export const fillDisk = (leave: number): string =>
  `free=$(df --output=avail -BM /var/lib/site | tail -n 1 | tr -dc 0-9)
   dd if=/dev/zero of=/var/lib/site/filler bs=1M count=$((free - ${leave} + ${leave ? 0 : 1})) status=none`;
export const FREE_DISK = 'rm /var/lib/site/filler';

/** Starts one server again with a further line in its unit, as `systemctl edit` does. */
export const withLine = (
  port: string,
  line: string,
): string => `mkdir -p /etc/systemd/system/site@${port}.service.d
  printf '[Service]\\n%s\\n' '${line}' > /etc/systemd/system/site@${port}.service.d/walk.conf
  systemctl daemon-reload; systemctl restart site@${port}`;
export const withoutLine = (port: string): string =>
  `rm /etc/systemd/system/site@${port}.service.d/walk.conf; systemctl daemon-reload; systemctl restart site@${port}`;

/** Sends a click to the first server. */
export const click = (fields: Record<string, unknown> = {}): string =>
  `curl -s -H 'content-type: application/json' -d '${JSON.stringify(makeBody(fields))}' http://127.0.0.1:3001/api/log-cta`;
