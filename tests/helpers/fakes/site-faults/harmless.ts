/** Harmless changes by proxies and portals, about which the walk must not complain. */
import {
  answerOf,
  atPortal,
  inPageText,
  type PlantedFault,
  redirectTo,
  withHeaders,
} from './plant.ts';

export const HARMLESS_CHANGES: Omit<PlantedFault, 'named'>[] = [
  {
    name: 'a proxy adds its own headers',
    plant: (_, answer) => withHeaders(answer, { server: 'cloudflare', via: '1.1 cache' }),
  },
  {
    name: 'line ends of Windows between the tags',
    plant: inPageText((text) => text.replaceAll('>\n<', '>\r\n<')),
  },
  {
    name: 'mail addresses are hidden from robots',
    plant: inPageText((text) => text.replace(/mailto:[^"]*/g, '/cdn-cgi/l/email-protection#a1')),
  },
  {
    name: 'a proxy adds a script of its own, which the policy blocks',
    plant: inPageText((text) => text.replace('</body>', '<script>var a=1</script></body>')),
  },
  {
    name: 'the portal does not know HEAD',
    plant: atPortal(() => answerOf(405, '')),
  },
  {
    name: 'the portal leads on with ref and code',
    plant: atPortal(({ query }) => redirectTo(`https://id.portal.example/start?${query}`)),
  },
  {
    name: 'the portal keeps ref and code in a cookie',
    plant: atPortal(() =>
      redirectTo('https://portal.example/start', { 'set-cookie': 'invited=1' }),
    ),
  },
];
