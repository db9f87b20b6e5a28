import type { ListedEntry } from '@voisol/contract/audit'

/** Participles that do not follow from the ending. */
const IRREGULAR_PARTICIPLES: Record<string, string> = {
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
const VERBS_WITH_ETRE = ['entrer', 'revenir']

const toParticiple = (verb: string) =>
  IRREGULAR_PARTICIPLES[verb] ?? (verb.endsWith('er') && !NOUNS.includes(verb) ? `${verb.slice(0, -2)}é` : undefined)

/** Verbs that share their object are told alike: « annoncer, publier ou réviser un indice ». */
function conjugateSharedVerbs(words: string[]): string[] {
  const [before, word, ...rest] = words
  if (before === undefined || word === undefined) return words
  const follows = before.endsWith(',') || before === 'ou' || before === 'et'
  const bare = word.replace(/,$/, '')
  const participle = follows ? toParticiple(bare) : undefined
  const next = participle ? participle + word.slice(bare.length) : word
  const linked = word === 'ou' || word === 'et' || participle !== undefined
  return linked ? [before, ...conjugateSharedVerbs([next, ...rest])] : [before, next, ...rest]
}

const lowercaseFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** « Importer un fichier » becomes « a importé un fichier »; what is no verb that can be told so stays as it is. */
export function toPastTense(label: string): string | undefined {
  const [, opening = '', rest = ''] = /^(se |s’|tout )?(.*)$/.exec(lowercaseFirst(label)) ?? []
  const [first = '', ...others] = rest.split(' ')
  const verb = first.replace(/,$/, '')
  const participle = toParticiple(verb)
  if (!participle) return undefined
  const subject = opening.startsWith('s') ? 's’est' : opening ? 'a tout' : VERBS_WITH_ETRE.includes(verb) ? 'est' : 'a'
  return [subject, ...conjugateSharedVerbs([participle + first.slice(verb.length), ...others])].join(' ')
}

/** A task is called by what it does. */
const TASK_PREFIX = /^Tâche\u00a0: /

/** What was done, told of whoever did it. */
export function describeActivity({
  actorName,
  label,
  outcome,
}: Pick<ListedEntry, 'actorName' | 'label' | 'outcome'>): string {
  const actor = actorName.replace(TASK_PREFIX, '')
  const past = toPastTense(label)
  if (!past) return `${actor}\u00a0: ${lowercaseFirst(label)}`
  return outcome === 'refused' ? `${actor} n’a pas pu ${lowercaseFirst(label)}` : `${actor} ${past}`
}
