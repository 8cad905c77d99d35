import { HelpPage } from '#components/help-page.tsx';
import type { HelpPageName } from '#words/help-paths.ts';

export const Page = ({ page }: { page: HelpPageName }) => <HelpPage page={page} />;
