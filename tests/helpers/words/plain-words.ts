/** Words that health writing explains or writes as digits, in each language of the site. */
import type { Language } from '#contract/language.ts';

/** Numbers in words. "One" is left out, because it is a pronoun too ("the one that", "in one place"). */
export const NUMBER_WORDS: Record<Language, RegExp> = {
  en: /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million)\b/gi,
  es: /(?<![\p{L}])(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|treinta|cuarenta|cincuenta|cien|ciento|mil|millón|millones)(?![\p{L}])/giu,
};

/** Second words for a thing that has a name already: the film, the form's registration. */
export const OTHER_NAMES: Record<Language, RegExp> = {
  en: /\bvideos?\b|\bmovies?\b/gi,
  es: /pel[ií]cula|botón de registro|(?<![\p{L}])registr(?:arse|arme|ó)(?![\p{L}])|su registro se/giu,
};

interface Term {
  /** The hard word, in all its forms. */
  term: RegExp;
  /** A part of the explanation that must be close to its first use. */
  explained: RegExp;
}

/** Terms that a page explains where it first uses them. */
export const TERMS: Record<Language, Term[]> = {
  en: [
    { term: /\bregistr(?:y|ies)\b/i, explained: /list of people|data (?:about|on) people/i },
    { term: /\bIRB\b/, explained: /ethics committee/i },
    { term: /\bethics committee/i, explained: /checks that research/i },
    { term: /\bencrypt/i, explained: /scrambl|locked/i },
    {
      term: /\banonymi[sz]|\bde-identif/i,
      explained: /without (?:your|a|the) name|name.*removed/i,
    },
    { term: /\bconsent\b/i, explained: /says? yes|say yes|agree/i },
    { term: /\bHIPAA\b/, explained: /\blaw\b/i },
    { term: /\bcookies?\b/i, explained: /small (?:file|text)|no cookies/i },
    { term: /\bQR code/i, explained: /square/i },
    { term: /\bWCAG\b/, explained: /Web Content Accessibility Guidelines/ },
    { term: /\bscreen readers?\b/i, explained: /aloud/i },
    {
      term: /\bclinical trials?\b|\btrials?\b/i,
      explained: /test|show.*treatment|treatment works/i,
    },
    { term: /\bSMA\b/, explained: /spinal muscular atrophy \(SMA\)/ },
    { term: /\bCF\b/, explained: /cystic fibrosis \(CF\)/ },
  ],
  es: [
    { term: /\bregistros? de pacientes\b/, explained: /(?:lista|datos) de personas/i },
    { term: /\bcomité de ética/i, explained: /revisa que/i },
    { term: /\bcifra(?:r|do|dos|da|das|n)\b/i, explained: /clave|no se puedan? leer|ilegible/i },
    { term: /\banónim|\banonimiz/i, explained: /sin (?:su|el) nombre/i },
    { term: /\bconsent(?:ir|imiento)\b/i, explained: /decir que sí|dice que sí|de acuerdo/i },
    { term: /\bHIPAA\b/, explained: /\bley\b/i },
    {
      term: /\bcookies?\b/i,
      explained: /archivo pequeño|texto pequeño|no usamos cookies/i,
    },
    { term: /\bcódigo QR/i, explained: /cuadro|cuadrado/i },
    { term: /\bWCAG\b/, explained: /Pautas de Accesibilidad/ },
    { term: /\blector(?:es)? de pantalla/i, explained: /voz alta/i },
    { term: /\bensayos? clínicos?\b/i, explained: /prueba|tratamiento/i },
    { term: /\bAME\b/, explained: /atrofia muscular espinal \(AME\)/ },
    { term: /\bFQ\b/, explained: /fibrosis quística \(FQ\)/ },
  ],
};

/** How far from the first use, in characters, the explanation may be: about two sentences. */
const NEAR = 220;

/** @returns the terms that are used without an explanation near their first use */
export function unexplainedTerms(text: string, language: Language): string[] {
  return TERMS[language].flatMap(({ term, explained }) => {
    const use = term.exec(text);
    if (!use) return [];
    const near = text.slice(Math.max(0, use.index - NEAR), use.index + NEAR);
    return explained.test(near) ? [] : [use[0]];
  });
}
