import { z } from 'zod'
import { NBSP, quoteText } from '../../french.ts'
import { requireSamePeriod, requireSamePoint } from './held.ts'
import { createMismatchFault, describeReceivedValue, parseEnedisAnswer } from './shape.ts'
import { SERIES_TYPES_BY_ROLE } from './templates.ts'
import { type EnedisQuantity, SERIES_TYPES } from './types.ts'

const text = z.union([z.string(), z.number()]).transform(String)
const Answer = z.object({
  cons_id: text.nullish(),
  prod_id: text.nullish(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  unit: z.string().nullish(),
  quantities: z.array(
    z.object({
      type: z.enum(SERIES_TYPES),
      calendar_type: z.string().default(''),
      quantities: z.array(z.object({ name: z.string().trim().min(1), value: z.unknown() })),
    }),
  ),
})

const SCALE: Record<string, number> = { Wh: 1, kWh: 1000, MWh: 1_000_000 }
/** A plant of one gigawatt produces less in a month. */
const MAX_MONTHLY_WH = 1_000_000_000_000
/** The distributor's own time classes; suppliers may have others. */
const GRID_CALENDAR = 'DISTRIB'
const GRID_CLASSES = new Set(['P', 'HPH', 'HCH', 'HPB', 'HCB'])

export type QuantitiesRequest = { prm: string; role: 'cons' | 'prod'; from: string; to: string }

const describeClass = ({ type, name }: Pick<EnedisQuantity, 'type' | 'name'>) =>
  `La classe ${name} de ${quoteText(type)}`

/** An empty text is a missing value: the month is then refused, and never counted as zero. */
function parseEnergyWh(value: unknown, scale: number, which: Pick<EnedisQuantity, 'type' | 'name'>): number {
  if (value === null || value === undefined || value === '')
    throw createMismatchFault(`${describeClass(which)} n’a pas de valeur.`)
  const figure = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
  if (typeof figure !== 'number' || !Number.isFinite(figure) || figure < 0 || figure * scale > MAX_MONTHLY_WH)
    throw createMismatchFault(
      `${describeClass(which)} devrait être une énergie positive${NBSP}; reçu${NBSP}: ${describeReceivedValue(value)}.`,
    )
  return Math.round(figure * scale)
}

/** Requires each requested class exactly once, and none of the other role. */
function requireExpectedClasses(found: EnedisQuantity[], role: 'cons' | 'prod'): void {
  const [stranger] = found.filter(({ type }) => !SERIES_TYPES_BY_ROLE[role].includes(type))
  if (stranger)
    throw createMismatchFault(`La réponse donne ${quoteText(stranger.type)}, qui n’était pas demandé pour ce point.`)
  for (const type of SERIES_TYPES_BY_ROLE[role])
    if (!found.some((one) => one.type === type))
      throw createMismatchFault(`La réponse ne donne pas ${quoteText(type)}, qui était demandé.`)
  const seen = new Set<string>()
  for (const { type, calendar, name } of found) {
    if (calendar === GRID_CALENDAR && !GRID_CLASSES.has(name))
      throw createMismatchFault(
        `${describeClass({ type, name })} n’est pas une classe du réseau (${[...GRID_CLASSES].join(', ')}).`,
      )
    const key = `${type} ${calendar} ${name}`
    if (seen.has(key)) throw createMismatchFault(`${describeClass({ type, name })} est donnée deux fois.`)
    seen.add(key)
  }
}

/**
 * Allocated plus complement must equal consumption, allocated plus surplus production, up to the rounding of one unit.
 */
function requireConsistentTotals(found: EnedisQuantity[], role: 'cons' | 'prod', unit: number): void {
  const [whole, ...parts] = SERIES_TYPES_BY_ROLE[role]
  for (const own of Map.groupBy(found, ({ calendar, name }) => `${calendar} ${name}`).values()) {
    const of = (wanted: string | undefined) => own.find(({ type }) => type === wanted)?.wh ?? 0
    const [total, sum] = [of(whole), parts.reduce((all, part) => all + of(part), 0)]
    if (Math.abs(total - sum) <= unit) continue
    const said = parts.map((part) => `${part} ${of(part) / 1000}`).join(' + ')
    throw createMismatchFault(
      `Les chiffres de la classe ${own[0]?.name} ne s’accordent pas${NBSP}: ${said} kWh pour ${whole} ${total / 1000} kWh.`,
    )
  }
}

/** The definitive quantities of a point, checked against the request. */
export function parseQuantities(body: unknown, { prm, role, from, to }: QuantitiesRequest): EnedisQuantity[] {
  const { cons_id, prod_id, startDate, endDate, unit, quantities } = parseEnedisAnswer(Answer, body)
  requireSamePoint(prm, role === 'cons' ? cons_id : prod_id)
  requireSamePeriod({ from, to }, { from: startDate, to: endDate })
  const scale = SCALE[unit ?? '']
  if (scale === undefined)
    throw createMismatchFault(
      `La réponse donne ${unit ? `l’unité ${quoteText(unit)}` : 'aucune unité'}${NBSP}; des kWh étaient attendus.`,
    )
  const found = quantities.flatMap(({ type, calendar_type: calendar, quantities: named }) =>
    named.map(({ name, value }) => ({ type, calendar, name, wh: parseEnergyWh(value, scale, { type, name }) })),
  )
  requireExpectedClasses(found, role)
  requireConsistentTotals(found, role, scale)
  return found
}
