import type { FiguresContent } from '../blocks/figures.tsx'

/** What Voisol announces; the wording is the commercial one and is the same wherever it appears. */
export const homeClaims: FiguresContent = {
  kind: 'figures',
  ground: 'soft',
  eyebrow: 'En chiffres',
  title: 'Ce que Voisol annonce',
  items: [
    { prefix: 'Jusqu’à', figure: '95', unit: '%', label: 'd’autoconsommation [objectif]' },
    { prefix: 'En moyenne', figure: '60', unit: '%', label: 'de réduction carbone [objectif]' },
    { prefix: 'Au choix', figure: '5', label: 'méthodes de répartition' },
    { prefix: 'Plus de', figure: '500', label: 'installations connectées [objectif]' },
    { prefix: 'Nos utilisateurs', figure: '98', unit: '%', label: 'de satisfaction [objectif]' },
    { prefix: 'Chaque année', figure: '15', unit: 'GWh', label: 'optimisés [objectif]' },
    { prefix: 'Support', figure: '24/7', label: 'toute l’année [objectif]' },
    { prefix: 'Moins de', figure: '5', unit: 'min', label: 'pour une réponse du support [objectif]' },
  ],
  note: 'Le résultat d’une opération dépend de ses toits, de ses consommations et de sa clé. La certification ISO 27001 est en cours [objectif].',
}
