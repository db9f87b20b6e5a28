import { z } from 'zod'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

const TYPE_NAMES: Record<string, string> = {
  string: 'un texte',
  number: 'un nombre',
  int: 'un nombre entier',
  boolean: 'oui ou non',
  array: 'une liste',
  object: 'un objet',
  date: 'une date',
}

const FORMAT_MESSAGES: Record<string, string> = {
  email: 'Adresse e-mail attendue, par exemple nom@exemple.fr.',
  uuid: 'Identifiant attendu.',
  url: 'Adresse web attendue, par exemple https://exemple.fr.',
  date: 'Date attendue, par exemple 2026-03-29.',
  datetime: 'Date et heure attendues.',
}

const formatCount = (n: number | bigint, word: string) => `${n} ${word}${n > 1 ? 's' : ''}`

const describeSize = (issue: RawIssue, bound: number | bigint, isMinimum: boolean) => {
  const word = isMinimum ? 'au moins' : 'au plus'
  if (issue.origin === 'string')
    return isMinimum && bound === 1
      ? 'Ce champ est obligatoire.'
      : `${capitalize(word)} ${formatCount(bound, 'caractère')}.`
  if (issue.origin === 'array') return `${capitalize(word)} ${formatCount(bound, 'élément')}.`
  return `La valeur doit être ${word} ${bound}.`
}
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Every message a person may read about a wrong value, in one place. */
function formatFrenchIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'Ce champ est obligatoire.'
      return Number.isNaN(issue.input)
        ? 'Un nombre est attendu.'
        : `Valeur inattendue\u00a0: ${TYPE_NAMES[issue.expected] ?? 'un autre type'} est attendu.`
    case 'too_small':
      return describeSize(issue, issue.minimum, true)
    case 'too_big':
      return describeSize(issue, issue.maximum, false)
    case 'invalid_format':
      return FORMAT_MESSAGES[issue.format] ?? 'Ce format n’est pas reconnu.'
    case 'unrecognized_keys':
      return `${issue.keys.length > 1 ? 'Champs inconnus' : 'Champ inconnu'}\u00a0: ${issue.keys.join(', ')}.`
    case 'invalid_value':
      return `Valeur attendue\u00a0: ${issue.values.map(String).join(', ')}.`
    case 'invalid_union':
      return 'Cette valeur n’est pas valable.'
    default:
      return 'Cette valeur n’est pas valable.'
  }
}

z.config({ localeError: formatFrenchIssue })
