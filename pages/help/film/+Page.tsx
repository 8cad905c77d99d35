import { FilmLink } from '#components/help/film-link.tsx';
import { HelpPage } from '#components/help-page.tsx';

/** The film in words, for visitors who read rather than watch. */
export const Page = () => <HelpPage page="film" headLink={<FilmLink />} />;
