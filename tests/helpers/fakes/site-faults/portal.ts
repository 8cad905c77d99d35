/** Faults of the partner's portal. */
import { answerOf, atPortal, NOT_FOUND, type PlantedFault, redirectTo } from './plant.ts';

export const PORTAL_FAULTS: PlantedFault[] = [
  {
    name: 'the portal has no such page',
    plant: atPortal(() => answerOf(404, NOT_FOUND)),
    named: /the button leads to an error of the portal \(404\)/,
  },
  {
    name: 'the portal fails',
    plant: atPortal(() => answerOf(502, '')),
    named: /the button leads to an error of the portal \(502\)/,
  },
  {
    name: 'the portal breaks off',
    plant: atPortal(() => 'reset'),
    named: /the button leads to a portal that does not answer \(\w+\)/,
  },
  {
    name: 'the portal is silent',
    plant: atPortal(() => 'silence'),
    isSilent: true,
    named: /the button leads to a portal that does not answer \(timeout\)/,
  },
  {
    name: 'the portal refuses',
    plant: atPortal(() => answerOf(403, '')),
    named: /the portal refuses the server's question \(403\)/,
  },
  {
    name: 'the portal leads to its first page, without code and ref',
    plant: atPortal(() => redirectTo('https://portal.example/welcome')),
    named:
      /the portal leads on to https:\/\/portal\.example\/welcome and loses ref and invitation_code/,
  },
  {
    name: 'a cache of the portal leads on with the code only',
    plant: atPortal(({ query }) =>
      redirectTo(`/sign-up?invitation_code=${query.get('invitation_code')}`),
    ),
    named: /the portal leads on to \/sign-up\?invitation_code=\w+ and loses ref\./,
  },
];
