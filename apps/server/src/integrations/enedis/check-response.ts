import { dayOf, dayStart, isDay, localTime } from '@voisol/energy/calendar'
import { formatCount, formatFrenchDay, formatFrenchTime, NBSP, quoteText } from '@voisol/file-formats/french'
import type { z } from 'zod'
import { buildDistributorFault, EnedisError } from './enedis-faults.ts'
import type { EnedisCurvePoint } from './enedis-types.ts'

export type RequestedPeriod = { from: string; to: string }

const formatPeriod = ({ from, to }: RequestedPeriod) => `du ${formatFrenchDay(from)} au ${formatFrenchDay(to)} exclu`

/** Refuses an answer about another point than the one requested, or about none. */
export function requireSamePoint(asked: string, answered: string | null | undefined): void {
  if (!answered)
    throw createMismatchFault(`La réponse ne dit pas de quel point elle parle${NBSP}: ${asked} était demandé.`)
  if (asked !== answered)
    throw createMismatchFault(`La réponse parle du point ${answered.slice(0, 40)}${NBSP}; ${asked} était demandé.`)
}

/** Values are expected in one unit; with another unit or none they would be a guess. */
export function requireUnit(unit: string | null | undefined, wanted: string): void {
  if (unit === wanted) return
  const said = unit ? `l’unité ${quoteText(unit)}` : 'aucune unité'
  throw createMismatchFault(`La réponse donne ${said}${NBSP}; des valeurs en ${wanted} étaient attendues.`)
}

/** The local day of a date or an instant, if it is one: midnight in Paris, or UTC. */
function parseLocalDay(text: string): string | null {
  if (isDay(text)) return text
  const at = Date.parse(text)
  if (Number.isNaN(at) || !/T.*(Z|[+-]\d\d:?\d\d)$/.test(text))
    return isDay(text.slice(0, 10)) ? text.slice(0, 10) : null
  if (/T00:00:00(\.0+)?Z$/.test(text)) return text.slice(0, 10)
  const { day, minuteOfDay } = localTime(Math.floor(at / 60_000))
  return minuteOfDay === 0 ? day : null
}

type StatedPeriod = { from: string | null | undefined; to: string | null | undefined }
export function requireSamePeriod(asked: RequestedPeriod, said: StatedPeriod): void {
  const [from, to] = [parseLocalDay(said.from ?? ''), parseLocalDay(said.to ?? '')]
  if (from === asked.from && to === asked.to) return
  const words =
    from && to
      ? formatPeriod({ from, to })
      : `de ${said.from ? quoteText(said.from) : 'rien'} à ${said.to ? quoteText(said.to) : 'rien'}`
  throw createMismatchFault(`La réponse porte sur la période ${words}${NBSP}; ${formatPeriod(asked)} était demandé.`)
}

const getStart = ({ end, minutes }: EnedisCurvePoint) => end - minutes

/** The values of the requested days. The midnight that opens them may be stamped as the end of the day before. */
export function requirePointsOfPeriod(points: EnedisCurvePoint[], span: RequestedPeriod): EnedisCurvePoint[] {
  const [first, last] = [dayStart(span.from), dayStart(span.to)]
  const inside = points.filter((point) => getStart(point) >= first && point.end <= last)
  const outside = points.filter((point) => (getStart(point) < first && point.end !== first) || point.end > last)
  if (outside[0]) {
    const many = formatCount(outside.length, 'valeur est', 'valeurs sont')
    const one = formatFrenchDay(dayOf(getStart(outside[0])))
    throw createMismatchFault(
      `${many} d’autres jours que ceux demandés (${formatPeriod(span)})${NBSP}: du ${one} pour la première.`,
    )
  }
  if (!inside.length) throw createMismatchFault(`La réponse ne contient aucune valeur ${formatPeriod(span)}.`)
  return inside
}

/**
 * With at least so many values in a day and no two one step apart, the stated step is wrong, rather than values
 * missing.
 */
const MIN_ISOLATED_VALUES = 4

/** Compares the stated step with the distances between timestamps. */
export function requireConsistentSteps(points: EnedisCurvePoint[]): void {
  const describeStep = ({ end, minutes }: EnedisCurvePoint) =>
    `la valeur du ${formatFrenchTime(end)} se dit d’un pas de ${minutes}${NBSP}minutes`
  let last: EnedisCurvePoint | undefined
  for (const point of points) {
    if (getStart(point) % point.minutes !== 0)
      throw createMismatchFault(`Horodate hors de son pas${NBSP}: ${describeStep(point)}.`)
    if (last && getStart(point) < last.end)
      throw createMismatchFault(
        `Les horodates contredisent le pas${NBSP}: ${describeStep(point)}, mais une autre finit le ${formatFrenchTime(last.end)}.`,
      )
    last = point
  }
  const sameDay = Map.groupBy(points, (point) => `${dayOf(getStart(point))} ${point.minutes}`)
  for (const own of sameDay.values()) {
    const [first] = own
    if (!first || own.length < MIN_ISOLATED_VALUES) continue
    if (own.every((point, at) => at === 0 || getStart(point) !== own[at - 1]?.end))
      throw createMismatchFault(
        `Les horodates contredisent le pas${NBSP}: ${describeStep(first)}, et aucune valeur de ce jour n’en suit une autre.`,
      )
  }
}

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
