/**
 * French articles before a name: « d’Antoine », « de Claire », « de l’Éco-quartier des Berges », « de la Résidence Les
 * Tilleuls », « du Site industriel ». A name that begins with a common noun takes the article of that noun.
 */
const NOUNS_BY_ARTICLE = {
  du: 'site quartier lotissement gymnase groupe toit hameau parc centre lycée collège bâtiment compteur point magasin hangar',
  'de la': 'résidence copropriété mairie zone toiture maison halle villa zac commune ferme boulangerie centrale crèche',
  'de l’':
    'éco-quartier écoquartier école immeuble îlot atelier ombrière usine appartement entrepôt hôtel hôpital association espace',
  des: 'parties bureaux ateliers logements habitations halles',
} as const
type Article = keyof typeof NOUNS_BY_ARTICLE

/** Names with an aspirated h, before which « de » is not elided. */
const ASPIRATED_H_PATTERN = /^(?:halage|halle|hameau|hangar|haut|hauteur|héron|hugues|huit|harald|hans)/
const VOWEL_PATTERN = /^[aeiouyàâäéèêëîïôöùûüœæh]/

const ARTICLE_BY_NOUN = new Map<string, Article>(
  Object.entries(NOUNS_BY_ARTICLE).flatMap(([article, nouns]) =>
    nouns.split(' ').map((noun) => [noun, article as Article]),
  ), // keys of the table
)

const getFirstWord = (name: string) => name.toLowerCase().match(/^[\p{L}-]+/u)?.[0] ?? ''
/** « Yann » starts with a consonant sound, « Yves » with a vowel. */
const isElided = (start: string) =>
  VOWEL_PATTERN.test(start) && !ASPIRATED_H_PATTERN.test(start) && !/^y[aeiouéo]/.test(start)

/** « de » before a name. */
export function withDe(name: string): string {
  const start = getFirstWord(name)
  // « Les » is contracted: « Répartition des Jardins »; « Le » may begin a family name, and is kept.
  if (start === 'les' && name.length > 4) return `des ${name.slice(4)}`
  const article = ARTICLE_BY_NOUN.get(start)
  if (article) return article.endsWith('’') ? article + name : `${article} ${name}`
  return isElided(start) ? `d’${name}` : `de ${name}`
}
