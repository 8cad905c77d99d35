/**
 * The inline script of pages whose visits are not counted, such as the 404 page. It adds the `ref`
 * and the campaign of the page's address to the links within the site.
 */
import { readQuery } from '#contract/ref.ts';
import { sourceParameters } from '#contract/visit.ts';
import { keepQuery } from './keep-query.ts';

keepQuery(sourceParameters(readQuery(location.search)));
