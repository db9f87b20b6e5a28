const FIRST_NAMES = [
  'Camille',
  'Julien',
  'Nadia',
  'Thomas',
  'Élodie',
  'Mehdi',
  'Chloé',
  'Antoine',
  'Aïcha',
  'Pierre',
  'Manon',
  'Olivier',
  'Leïla',
  'Guillaume',
  'Sarah',
  'Bruno',
  'Fatou',
  'Nicolas',
  'Anaïs',
  'Rachid',
  'Céline',
  'Hervé',
  'Lucie',
  'Samuel',
  'Mireille',
  'Baptiste',
  'Yasmine',
  'Gérard',
  'Noémie',
  'Tiago',
  'Danielle',
  'Rémi',
  'Linh',
  'Vincent',
  'Agathe',
  'Moussa',
  'Catherine',
]
const LAST_NAMES = [
  'Dubois',
  'Faure',
  'Garnier',
  'Chevalier',
  'Perrin',
  'Marchand',
  'Blanc',
  'Guérin',
  'Fontaine',
  'Rousseau',
  'Lambert',
  'Morel',
  'Giraud',
  'Meunier',
  'Barbier',
  'Traoré',
  'Da Silva',
  'Mercier',
  'Colin',
  'Renaud',
  'Picard',
  'Arnaud',
  'Bouvier',
  'Khelifi',
  'Charpentier',
  'Vidal',
  'Lacroix',
  'Berthier',
  'Diallo',
  'Poncet',
  'Jacquet',
  'Tran',
  'Deschamps',
  'Rivoire',
  'Bonnet',
  'Carrel',
  'Ferreira',
  'Gauthier',
  'Chabert',
  'Mansouri',
  'Pelletier',
]

const toAscii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')

export const buildDemoEmail = (firstName: string, lastName: string) =>
  `${toAscii(firstName)}.${toAscii(lastName)}@demo.voisol.fr`

/** Neighbours with distinct names: the lengths of the lists have no common divisor. */
export function createNeighbour(n: number) {
  const firstName = FIRST_NAMES[(n * 5) % FIRST_NAMES.length] ?? ''
  const lastName = LAST_NAMES[(n * 11) % LAST_NAMES.length] ?? ''
  return { kind: 'person' as const, firstName, lastName, email: buildDemoEmail(firstName, lastName) }
}
