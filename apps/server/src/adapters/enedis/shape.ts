import type { z } from 'zod'
import { NBSP, quoteText } from '../../french.ts'
import { buildDistributorFault, EnedisError } from './faults.ts'

/** An answer in no known format. */
export const createUnreadableFault = (message: string, cause?: unknown) =>
  new EnedisError(buildDistributorFault('unreadable', null, message), { cause })

/** Well formed but not an answer to the request: none of it is stored as data. */
export const createMismatchFault = (message: string) =>
  new EnedisError(buildDistributorFault('mismatch', null, message))

type Issue = z.core.$ZodIssue

const TYPE_LABELS: Record<string, string> = {
  string: 'un texte',
  number: 'un nombre',
  array: 'une liste',
  object: 'un objet',
  record: 'un objet',
}

export function describeReceivedValue(value: unknown): string {
  if (value === undefined) return 'rien'
  if (value === null) return 'une valeur nulle'
  if (Array.isArray(value)) return 'une liste'
  if (typeof value === 'object') return 'un objet'
  return `${typeof value === 'number' ? 'le nombre' : 'le texte'} ${quoteText(String(value))}`
}

const getValueAt = (body: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    body,
  )

function describeExpected(issue: Issue): string {
  if (issue.code === 'invalid_type') return `devrait être ${TYPE_LABELS[issue.expected] ?? 'd’une autre forme'}`
  if (issue.code === 'invalid_value') return `devrait être l’une des valeurs ${issue.values.join(', ')}`
  if (issue.code === 'custom') return issue.message
  return 'n’a pas la forme attendue'
}

/** Names the field, what was expected there and what was received. */
function describeSchemaIssue(issue: Issue, body: unknown): string {
  const where = issue.path.length ? `Le champ ${quoteText(issue.path.join('.'))}` : 'La réponse'
  return `${where} ${describeExpected(issue)}${NBSP}; reçu${NBSP}: ${describeReceivedValue(getValueAt(body, issue.path))}.`
}

/** An answer without the expected shape is refused entirely; additional fields are ignored. */
export function parseEnedisAnswer<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw createUnreadableFault(
    issue ? describeSchemaIssue(issue, body) : 'La réponse n’a pas la forme attendue.',
    read.error,
  )
}
