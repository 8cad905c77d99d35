/**
 * Removes every address from an event. If an event has no `$ip`, or null, PostHog stores the sender's address and derives a
 * place from it. The sender is our server, so the place would also be wrong.
 *
 * `$geoip_disable` turns the place off. The address is that of PostHog's guide on redaction. RFC 5737 reserves it for
 * documentation, so that no visitor has it.
 */
export const WITHHELD_ADDRESS = { $ip: '192.0.2.0', $geoip_disable: true };

/** Returns the event without any address that its sender put into its properties. */
export function withholdAddress<E extends { properties?: object | undefined }>(event: E) {
  return { ...event, properties: { ...event.properties, ...WITHHELD_ADDRESS } };
}
