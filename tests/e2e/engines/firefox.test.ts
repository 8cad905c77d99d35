import { startFirefox } from '../../helpers/engines/firefox.ts';
import { findFirefox } from '../../helpers/engines/firefox-find.ts';
import { testEngine } from './visit.ts';

const firefox = findFirefox();
testEngine('Firefox', firefox && (() => startFirefox(firefox)));
