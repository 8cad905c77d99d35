/**
 * Properties of an event that withhold the visitor's address. If an event has no `$ip`, or null, PostHog stores the sender's address and derives a
 * place from it. The sender is our server, so the place would also be wrong.
 *
 * `$geoip_disable` turns the place off. The address is that of PostHog's guide on redaction. RFC 5737 reserves it for
 * documentation, so that no visitor has it.
 */
export const WITHHELD_ADDRESS = { $ip: '192.0.2.0', $geoip_disable: true } as const;
