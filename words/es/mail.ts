/** The words of the mail after a registration in Spanish. The subject does not name the illness. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { MailWords } from '../en/mail.ts';

export const mail = ({ productName, partnerName }: BuiltSite['mail']): MailWords => ({
  subject: 'Su inscripción: próximos pasos',
  greeting: 'Hola:',
  opening: `Le damos la bienvenida a ${productName}. Estos son sus próximos pasos.`,
  account: `Abra su cuenta con ${partnerName}`,
  connect: 'Reúna sus expedientes médicos, un centro después de otro.',
  share: 'Véalos juntos en un lugar privado y elija qué comparte para la investigación.',
  forget: (address: string) =>
    `¿Usted no se inscribió, o quiere que borremos sus datos? Escriba a ${address} y borraremos su inscripción.`,
  privacy: 'Cómo tratamos sus datos',
});
