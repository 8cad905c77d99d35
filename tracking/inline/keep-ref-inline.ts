/** The inline script of pages without calls to action: the ways back to the landing page keep the `ref`. */
import { carryRefInto, HOME_LINKS } from './carry-ref.ts';
import { readRef } from './read-ref.ts';

carryRefInto(HOME_LINKS, readRef(location.search));
