import type { SharesContent } from '../blocks/shares.tsx'

/** Three neighbours take 800, 250 and 300 Wh while 1 000 Wh are produced; the static key is 50, 30 and 20 %. */
export const sharesExample: SharesContent = {
  id: 'methodes',
  ground: 'soft',
  eyebrow: 'La répartition',
  title: 'Un même quart d’heure, partagé de quatre façons',
  lead: 'Le toit donne 1 000 Wh. L’atelier en consomme 800, l’école 250, la maison 300. Personne ne reçoit plus qu’il n’a consommé ; ce qui reste est le surplus.',
  caption: 'Énergie affectée à chaque participant selon la méthode de répartition',
  neighbours: [
    { name: 'Atelier', fill: '#1e3a8a' },
    { name: 'École', fill: '#5b76a8' },
    { name: 'Maison', fill: '#b9c9de' },
  ],
  rows: [
    { method: 'Statique', rule: 'Des parts fixes : 50, 30 et 20 %', shares: [500, 250, 200], surplus: 50 },
    { method: 'Dynamique par défaut', rule: 'Au prorata des consommations', shares: [593, 185, 222], surplus: 0 },
    { method: 'Dynamique simple', rule: 'Vos coefficients, ici à parts égales', shares: [450, 250, 300], surplus: 0 },
    {
      method: 'Par priorité',
      rule: 'L’atelier d’abord, puis l’école, puis la maison',
      shares: [800, 200, 0],
      surplus: 0,
    },
  ],
  note: 'La cinquième méthode, dynamique complète, applique des coefficients distincts à chaque producteur. Seule la clé statique laisse perdre la part qu’un participant n’utilise pas : elle rejoint le surplus.',
}
