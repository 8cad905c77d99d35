/** SiteStreamAway: a cluster of three NATS nodes with the shipped configuration, which all end and come back. */
import { click, printed, READY, type Stop, withLine, withoutLine } from './stop.ts';

const ROUTES = [1, 2, 3].map((node) => `nats://127.0.0.1:622${node}`).join(',');
const START_NODES = `for node in 1 2 3; do
    nats-server -c /srv/site/deploy/nats/node.conf -n n$node -a 127.0.0.1 -p 422$node -m 822$node -sd /var/lib/nats/$node \\
      --cluster nats://127.0.0.1:622$node --routes ${ROUTES} > /root/nats-$node 2>&1 &
  done`;
const END_NODES = 'pkill -x nats-server';

/** Repeats lines until they succeed. */
const awaitThat = (lines: string): string => `until ${lines}; do sleep 0.2; done`;
const HAS_LINES = `curl -s http://127.0.0.1:8221/jsz | grep '"messages": [1-9]'`;
const IS_AWAY = "curl -s http://127.0.0.1:3001/healthz | grep 'The stream at'";

export const STREAM_AWAY: Stop = {
  // Debian's package starts a node of its own, without JetStream.
  before: `systemctl stop nats-server; ${START_NODES}
    ${withLine('3001', 'Environment=STREAM_URL=nats://127.0.0.1:4221,127.0.0.1:4222,127.0.0.1:4223')}
    ${awaitThat(HAS_LINES)}
    ${END_NODES}
    ${click()}`,
  until: IS_AWAY,
  // The first stop knows what the stream has. The second one ends a server that the stream has never answered.
  after: `systemctl restart site@3001
    ${awaitThat(IS_AWAY)}
    systemctl restart site@3001
    ${awaitThat(IS_AWAY)}
    ${START_NODES}
    ${awaitThat(printed('The stream gets clicks again'))}
    ${withoutLine('3001')}
    ${END_NODES}`,
  over: `(${READY}); ${printed('Stopping, and the stream')}`,
};
