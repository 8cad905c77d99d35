/** The only inline script of a page that is not counted, such as the 404 card: its links keep the `ref` and the campaign. */
import { keepQuery } from './keep-query.ts';

keepQuery(new URLSearchParams(location.search));
