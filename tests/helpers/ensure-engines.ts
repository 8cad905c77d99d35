/**
 * Makes sure that Firefox and WebKit are there for the tests in other engines, from Debian's packages. Where that is
 * not possible it says so and goes on: the tests then report every scenario of the missing engine as skipped.
 */
import { ensure } from './debian-packages.ts';
import { findFirefox } from './firefox-find.ts';
import { findWebkit } from './webkit-find.ts';

/** The last two let WebKit play the film. */
const WEBKIT_PACKAGES = [
  'webkit2gtk-driver',
  'xvfb',
  'gstreamer1.0-libav',
  'gstreamer1.0-plugins-good',
];

ensure('Firefox', findFirefox, ['firefox-esr']);
ensure('WebKit', findWebkit, WEBKIT_PACKAGES);
