import { z } from 'zod'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

const TYPES: Record<string, string> = {
  string: 'un texte',
  number: 'un nombre',
  int: 'un nombre entier',
  boolean: 'oui ou non',
  array: 'une liste',
  object: 'un objet',
  date: 'une date',
}

const FORMATS: Record<string, string> = {
  email: 'Adresse e-mail attendue, par exemple nom@exemple.fr.',
  uuid: 'Identifiant attendu.',
  url: 'Adresse web attendue, par exemple https://exemple.fr.',
  date: 'Date attendue, par exemple 2026-03-29.',
  datetime: 'Date et heure attendues.',
}

const plural = (n: number | bigint, word: string) => `${n} ${word}${n > 1 ? 's' : ''}`

const size = (issue: RawIssue, bound: number | bigint, least: boolean) => {
  const word = least ? 'au moins' : 'au plus'
  if (issue.origin === 'string')
    return least && bound === 1 ? 'Ce champ est obligatoire.' : `${capital(word)} ${plural(bound, 'caractère')}.`
  if (issue.origin === 'array') return `${capital(word)} ${plural(bound, 'élément')}.`
  return `La valeur doit être ${word} ${bound}.`
}
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Every message a person may read about a wrong value, in one place. */
export function frenchIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'Ce champ est obligatoire.'
      return Number.isNaN(issue.input)
        ? 'Un nombre est attendu.'
        : `Valeur inattendue\u00a0: ${TYPES[issue.expected] ?? 'un autre type'} est attendu.`
    case 'too_small':
      return size(issue, issue.minimum, true)
    case 'too_big':
      return size(issue, issue.maximum, false)
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Ce format n’est pas reconnu.'
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

z.config({ localeError: frenchIssue })
