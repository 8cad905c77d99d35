/**
 * E-mail addresses as people type them, with domains in any script (RFC 5891), and the one form
 * that the server compares and sends to.
 */

/** RFC 5321, section 4.5.3.1.1. */
const LOCAL_PART_MAX = 64;
/** RFC 5321 allows 256 for a path with its angle brackets. */
const ADDRESS_MAX = 254;

/** RFC 5322's dot-atom. The other form, in quotes, is too rare to tell from a typing error. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/**
 * `Join_Control` are signs inside words of Persian and Indic scripts; `。` is the dot of East Asia.
 */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}\p{Join_Control}.。-]+$/u;
const LABEL = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/;
const LABEL_MAX = 63;
/** Its last part is a word, or a word of another script. */
const TOP_LABEL = /^(?:[a-z]{2,}|xn--[a-z\d-]+)$/;

/**
 * Makes the one form of an address: its domain as DNS has it, in lower case, so that `müller.de` is
 * `xn--mller-kva.de`. Chromium sends a form's address so by itself, other browsers as it was typed.
 * The part before the `@` stays.
 *
 * @returns null if no mail can be sent to the address
 */
export function toAsciiAddress(typed: string): string | null {
  const at = typed.lastIndexOf('@');
  const [local, typedDomain] = [typed.slice(0, at), typed.slice(at + 1)];
  if (at > LOCAL_PART_MAX || !LOCAL_PART.test(local) || !TYPED_DOMAIN.test(typedDomain))
    return null;
  const domain = toAscii(typedDomain);
  const labels = domain.split('.');
  if (labels.length < 2 || !TOP_LABEL.test(labels.at(-1) ?? '')) return null;
  if (labels.some((label) => label.length > LABEL_MAX || !LABEL.test(label))) return null;
  const address = `${local}@${domain}`;
  return address.length > ADDRESS_MAX ? null : address;
}

/** The same as `domainToASCII` of Node, which browsers lack. Empty for what is no host. */
function toAscii(domain: string): string {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return '';
  }
}
