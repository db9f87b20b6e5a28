import type { AuditEntry } from '@voisol/contract/audit'

/** Participles that do not follow from the ending. */
const IRREGULAR: Record<string, string> = {
  Agir: 'agi',
  Choisir: 'choisi',
  Clore: 'clos',
  Définir: 'défini',
  Dire: 'dit',
  Écrire: 'écrit',
  Émettre: 'émis',
  Établir: 'établi',
  Faire: 'fait',
  Joindre: 'joint',
  Lire: 'lu',
  Ouvrir: 'ouvert',
  Produire: 'produit',
  Recevoir: 'reçu',
  Recueillir: 'recueilli',
  Relire: 'relu',
  Répondre: 'répondu',
  Reprendre: 'repris',
  Retenir: 'retenu',
  Rouvrir: 'rouvert',
  Suivre: 'suivi',
  Voir: 'vu',
}

const participleOf = (verb: string) =>
  IRREGULAR[verb] ?? (verb.endsWith('er') ? `${verb.slice(0, -2).toLowerCase()}é` : undefined)

/** « Importer un fichier » becomes « a importé un fichier »; what is no verb that can be told so stays as it is. */
export function pastOf(label: string): string | undefined {
  const [first = '', second = '', ...rest] = label.split(' ')
  if (first === 'Se' || first === 'Tout') {
    const participle = participleOf(second.charAt(0).toUpperCase() + second.slice(1))
    return participle && [first === 'Se' ? 's’est' : 'a tout', participle, ...rest].join(' ')
  }
  const participle = participleOf(first)
  return participle && ['a', participle, second, ...rest].filter(Boolean).join(' ')
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** What was done, told of whoever did it. */
export function deedOf({ actor, label, outcome }: Pick<AuditEntry, 'actor' | 'label' | 'outcome'>): string {
  const past = pastOf(label)
  if (!past) return `${actor}\u00a0: ${lower(label)}`
  return outcome === 'refused' ? `${actor} n’a pas pu ${lower(label)}` : `${actor} ${past}`
}
