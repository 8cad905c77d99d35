import { HelpPage } from '#components/help-page.tsx';

export const Page = () => <HelpPage page="easy" />;
