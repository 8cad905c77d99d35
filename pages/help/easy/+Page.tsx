import { EasyBlocks } from '#components/help/easy-blocks.tsx';
import { HelpPage } from '#components/help-page.tsx';

export const Page = () => (
  <HelpPage page="easy">
    <EasyBlocks />
  </HelpPage>
);
