/** What the product looks for, in the words of the screen; the order is that of the legend. */
export const INSIGHT_RULES = {
  'under-performance': 'Centrale en baisse',
  'plant-stopped': 'Centrale à l’arrêt',
  'inverted-point': 'Point au sens inversé',
  'swapped-points': 'Compteurs intervertis',
  'clock-shifted': 'Horloge décalée',
  'base-load': 'Consommation de fond en hausse',
  'stuck-meter': 'Compteur figé',
  'mute-meter': 'Compteur muet',
  'consent-ends': 'Consentement qui finit',
  'data-lost': 'Données qui n’arrivent plus',
  'better-key': 'Meilleure clé de répartition',
  'joins-next': 'Qui devrait rejoindre',
  'grid-tariff': 'Formule d’acheminement',
} as const

export const INSIGHT_STATES = {
  open: 'À regarder',
  accepted: 'Retenu',
  dismissed: 'Écarté',
  closed: 'Résolu',
} as const

/** Days for which what was dismissed stays silent, unless it has grown by half. */
export const DISMISSAL_DAYS = 90
export const REOPEN_GROWTH_FACTOR = 1.5
