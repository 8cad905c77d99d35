import { startWebkit } from '../../helpers/engines/webkit.ts';
import { findWebkit } from '../../helpers/engines/webkit-find.ts';
import { testEngine } from './visit.ts';

const webkit = findWebkit();
testEngine('WebKit', webkit && (() => startWebkit(webkit)));
