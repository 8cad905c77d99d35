/** Reads QR codes from pictures with zbarimg, as a phone's camera would. */
import { execFileSync } from 'node:child_process';

export const ZBARIMG = '/usr/bin/zbarimg';

/** @param file a picture @returns the texts of all QR codes in it @throws if there is none */
export function readQrCodes(file: string): string[] {
  const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', file];
  // zbarimg warns on standard error that there is no D-Bus.
  const text = execFileSync(ZBARIMG, options, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text.split('\n').filter(Boolean);
}
