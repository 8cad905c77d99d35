/**
 * The only inline script of a page that is not counted, such as the 404 card: its links keep the
 * `ref` and the campaign.
 */
import { readQuery } from '#contract/ref.ts';
import { sourceParameters } from '#contract/visit.ts';
import { keepQuery } from './keep-query.ts';

keepQuery(sourceParameters(readQuery(location.search)));
