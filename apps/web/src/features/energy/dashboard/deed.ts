import type { ListedEntry } from '@voisol/contract/audit'

/** Participles that do not follow from the ending. */
const IRREGULAR: Record<string, string> = {
  agir: 'agi',
  choisir: 'choisi',
  clore: 'clos',
  définir: 'défini',
  dire: 'dit',
  écrire: 'écrit',
  émettre: 'émis',
  établir: 'établi',
  faire: 'fait',
  inscrire: 'inscrit',
  joindre: 'joint',
  lire: 'lu',
  ouvrir: 'ouvert',
  prévoir: 'prévu',
  produire: 'produit',
  recevoir: 'reçu',
  recueillir: 'recueilli',
  refaire: 'refait',
  relire: 'relu',
  répondre: 'répondu',
  reprendre: 'repris',
  retenir: 'retenu',
  réunir: 'réuni',
  revenir: 'revenu',
  rouvrir: 'rouvert',
  suivre: 'suivi',
  suspendre: 'suspendu',
  voir: 'vu',
}
/** « Fichier à vérifier » names a thing. */
const NOUNS = ['fichier']
const MOVES = ['entrer', 'revenir']

const participleOf = (verb: string) =>
  IRREGULAR[verb] ?? (verb.endsWith('er') && !NOUNS.includes(verb) ? `${verb.slice(0, -2)}é` : undefined)

/** Verbs that share their object are told alike: « annoncer, publier ou réviser un indice ». */
function alike(words: string[]): string[] {
  const [before, word, ...rest] = words
  if (before === undefined || word === undefined) return words
  const follows = before.endsWith(',') || before === 'ou' || before === 'et'
  const bare = word.replace(/,$/, '')
  const participle = follows ? participleOf(bare) : undefined
  const next = participle ? participle + word.slice(bare.length) : word
  const linked = word === 'ou' || word === 'et' || participle !== undefined
  return linked ? [before, ...alike([next, ...rest])] : [before, next, ...rest]
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** « Importer un fichier » becomes « a importé un fichier »; what is no verb that can be told so stays as it is. */
export function pastOf(label: string): string | undefined {
  const [, opening = '', rest = ''] = /^(se |s’|tout )?(.*)$/.exec(lower(label)) ?? []
  const [first = '', ...others] = rest.split(' ')
  const verb = first.replace(/,$/, '')
  const participle = participleOf(verb)
  if (!participle) return undefined
  const subject = opening.startsWith('s') ? 's’est' : opening ? 'a tout' : MOVES.includes(verb) ? 'est' : 'a'
  return [subject, ...alike([participle + first.slice(verb.length), ...others])].join(' ')
}

/** A task is called by what it does. */
const OF_TASK = /^Tâche\u00a0: /

/** What was done, told of whoever did it. */
export function deedOf({ actorName, label, outcome }: Pick<ListedEntry, 'actorName' | 'label' | 'outcome'>): string {
  const actor = actorName.replace(OF_TASK, '')
  const past = pastOf(label)
  if (!past) return `${actor}\u00a0: ${lower(label)}`
  return outcome === 'refused' ? `${actor} n’a pas pu ${lower(label)}` : `${actor} ${past}`
}
