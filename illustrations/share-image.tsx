/** The preview of a shared link, 1200 by 630. No names and no illness: a share must not reveal a diagnosis. */
import { HeroScene } from './hero-scene.tsx';

export function ShareImage({ headline }: { headline: string }) {
  return (
    <div className="share">
      <h1>{headline}</h1>
      <HeroScene />
    </div>
  );
}
