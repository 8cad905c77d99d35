/**
 * Validates e-mail addresses as people type them, with domains in any script (RFC 5891), and
 * converts them to the one form that the server compares and sends to.
 */

/** Upper bound for the part before the `@` in characters (RFC 5321, section 4.5.3.1.1). */
const LOCAL_PART_MAX = 64;
/** Upper bound for an address in characters. RFC 5321 allows 256 with the angle brackets. */
const ADDRESS_MAX = 254;

/**
 * The part before the `@`: RFC 5322's dot-atom. The quoted form is so rare that it is probably a
 * typing error.
 */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/**
 * A domain as people type it. `Join_Control` are characters inside words of Persian and Indic
 * scripts, and `。` is the East Asian dot.
 */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}\p{Join_Control}.。-]+$/u;
/** One part of a domain, between the dots. */
const DOMAIN_LABEL = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/;
const LABEL_MAX = 63;
/** The last part of a domain: letters, or the encoded form of another script. */
const TOP_LEVEL_DOMAIN = /^(?:[a-z]{2,}|xn--[a-z\d-]+)$/;

/**
 * Normalises an address: its domain in lower case, as DNS has it, so that `müller.de` becomes
 * `xn--mller-kva.de`. Chromium does that itself for form fields, other browsers do not. The part
 * before the `@` stays unchanged.
 *
 * @returns null if no mail can be sent to the address
 */
export function toAsciiAddress(typed: string): string | null {
  const atSign = typed.lastIndexOf('@');
  const [local, typedDomain] = [typed.slice(0, atSign), typed.slice(atSign + 1)];
  if (atSign > LOCAL_PART_MAX || !LOCAL_PART.test(local) || !TYPED_DOMAIN.test(typedDomain))
    return null;
  const domain = toAscii(typedDomain);
  const labels = domain.split('.');
  if (labels.length < 2 || !TOP_LEVEL_DOMAIN.test(labels.at(-1) ?? '')) return null;
  if (labels.some((label) => label.length > LABEL_MAX || !DOMAIN_LABEL.test(label))) return null;
  const address = `${local}@${domain}`;
  return address.length > ADDRESS_MAX ? null : address;
}

/**
 * Converts a domain to ASCII, like Node's `domainToASCII`, which browsers lack. Returns an empty
 * text if it is not a host.
 */
function toAscii(domain: string): string {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return '';
  }
}
