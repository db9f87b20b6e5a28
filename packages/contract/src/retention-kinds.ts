/** What is kept for a time that an organisation chooses, within bounds; and the law beside it. Durations are in months. */
type RetentionRule = {
  label: string
  /** Counted from when. */
  since: string
  months: number
  least: number
  most: number
  law: string
  /** Why not less. */
  bound: string
  /** What remains of it afterwards. */
  remains: string
}

export const RETENTION_RULES = {
  curves: {
    label: 'Courbes de charge et répartition pas à pas',
    since: 'le jour mesuré',
    months: 24,
    least: 15,
    most: 36,
    law: 'RGPD, article 5-1-e\u00a0; CNIL, mises en demeure d’EDF et d’Engie en 2020 (durées excessives)',
    bound: 'Enedis corrige jusqu’à quatorze mois en arrière\u00a0: un mois de plus laisse le temps de régulariser.',
    remains: 'Les sommes de chaque jour et de chaque mois, par compteur, et l’empreinte de chaque calcul.',
  },
  imports: {
    label: 'Fichiers de courbes importés',
    since: 'l’import',
    months: 24,
    least: 15,
    most: 36,
    law: 'RGPD, article 5-1-e',
    bound: 'Tant qu’une correction d’Enedis peut venir, le fichier d’origine départage.',
    remains: 'Les mesures lues, avec leur propre durée.',
  },
  consents: {
    label: 'Accords donnés et retirés',
    since: 'la fin de l’accord',
    months: 60,
    least: 36,
    most: 120,
    law: 'RGPD, article 7-1 (preuve de l’accord)\u00a0; code civil, article 2224 (cinq ans)',
    bound: 'La preuve d’un accord sert tant qu’une demande peut en naître.',
    remains: 'Rien.',
  },
  tickets: {
    label: 'Demandes au support',
    since: 'le dernier message d’une demande close',
    months: 36,
    least: 6,
    most: 60,
    law: 'RGPD, article 5-1-e',
    bound: 'Une demande close peut être rouverte.',
    remains: 'Rien\u00a0: messages, notes et fichiers joints partent ensemble.',
  },
  notifications: {
    label: 'Notifications',
    since: 'leur envoi',
    months: 12,
    least: 1,
    most: 36,
    law: 'RGPD, article 5-1-e',
    bound: 'Un mois laisse le temps de les lire.',
    remains: 'Rien.',
  },
  audit: {
    label: 'Journal d’audit',
    since: 'l’acte',
    months: 36,
    least: 12,
    most: 60,
    law: 'RGPD, article 32\u00a0; CNIL, délibération n°\u00a02021-122 du 14 octobre 2021',
    bound: 'Une intrusion se découvre souvent des mois plus tard.',
    remains: 'La signature du dernier acte effacé\u00a0: la suite du journal reste vérifiable.',
  },
} as const satisfies Record<string, RetentionRule>

export type RetentionKind = keyof typeof RETENTION_RULES
export const RETENTION_KINDS = Object.keys(RETENTION_RULES) as [RetentionKind, ...RetentionKind[]] // keys of a literal

/** What nobody chooses: a law fixes it, or the product cleans up after itself. */
export const FIXED_RETENTION = [
  {
    label: 'Factures, avoirs, relevés, paiements et écritures',
    time: '10 ans au moins',
    law: 'Code de commerce, article L123-22\u00a0; livre des procédures fiscales, article L102 B (six ans)',
  },
  {
    label: 'Calculs sur lesquels une facture repose',
    time: 'comme la facture',
    law: 'Code de commerce, article L123-22 (pièces justificatives)',
  },
  {
    label: 'Identité d’un participant',
    time: 'le temps de la participation, puis comme ses factures\u00a0; effacée ailleurs sur demande',
    law: 'RGPD, articles 6-1-b, 6-1-c et 17',
  },
  { label: 'Réponses d’Enedis mot pour mot', time: '400 jours', law: 'RGPD, article 5-1-e' },
  { label: 'Demandes de contact et réservations du site', time: '3 ans', law: 'RGPD, article 5-1-e' },
  { label: 'Sessions', time: '24 heures sans activité', law: 'RGPD, article 32' },
  { label: 'Liens de mot de passe', time: '7 jours après leur fin', law: 'RGPD, article 32' },
  { label: 'Messages envoyés', time: '7 jours après l’envoi, chiffrés', law: 'RGPD, article 5-1-e' },
] as const

/** In words: « 2 ans », « 15 mois ». */
export const formatMonths = (months: number) =>
  months % 12 === 0 ? `${months / 12}\u00a0an${months > 12 ? 's' : ''}` : `${months}\u00a0mois`
