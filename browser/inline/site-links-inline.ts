/** The inline script of a page that is not counted, such as the 404 card: keeps the `ref` and the campaign on the way back. */
import { keepInSiteLinks } from './site-links.ts';

keepInSiteLinks(location.search);
