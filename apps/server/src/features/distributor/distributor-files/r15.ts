import type { EnedisQuantity } from '../../../adapters/enedis/types.ts'
import type { Direction } from '../../../formats/types.ts'
import { NBSP } from '../../../french.ts'
import type { FileDataSink, ParsedIndex, ParsedQuantities } from './found.ts'
import { type Dial, parseDials, parseReadingIndexes } from './readings.ts'
import { QuarantineError } from './refusal.ts'
import { forEachElement, getChildText, listChildren, parsePrm, parseStampDay, type XmlElement } from './tree.ts'

/** The classes of collective self-consumption: the direction of the point and the type of energy. */
const COLLECTIVE_CLASSES: Record<string, { direction: Direction; type: EnedisQuantity['type'] }> = {
  3: { direction: 'consumption', type: 'autocons' },
  4: { direction: 'consumption', type: 'complement' },
  5: { direction: 'production', type: 'autocons' },
  6: { direction: 'production', type: 'surplus' },
}

type Reading = { status: string; indexes: ParsedIndex[]; quantities: ParsedQuantities[] }

/** R15: billing readings of points up to 36 kVA, with indexes and energies of collective self-consumption. */
export async function readR15(text: string, sink: FileDataSink): Promise<void> {
  let writtenAt: Date | null = null
  const readings: Reading[] = []
  forEachElement(text, ['En_Tete_Flux', 'PRM'], (element) => {
    if (element.name === 'En_Tete_Flux') writtenAt = parseInstant(getChildText(element, 'Date_Creation'))
    else
      for (const reading of listChildren(element, 'Donnees_Releve'))
        readings.push(parseReading(element, reading, writtenAt))
  })
  await sink.indexes(
    keepLatest(readings, 'indexes', ({ prm, direction, day, calendar, name }) => [prm, direction, day, calendar, name]),
  )
  await sink.quantities(
    keepLatest(readings, 'quantities', ({ prm, direction, from, to }) => [prm, direction, from, to]),
  )
}

const parseInstant = (text: string): Date | null => {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}

function parseReading(point: XmlElement, reading: XmlElement, writtenAt: Date | null): Reading {
  const prm = parsePrm(point, 'Id_PRM')
  const status = getChildText(reading, 'Statut_Releve')
  if (!['INITIAL', 'RECTIFICATIF', 'ANNULE'].includes(status))
    throw new QuarantineError(
      'content',
      `Point ${prm}${NBSP}: le statut «${NBSP}${status}${NBSP}» d’un relevé n’est pas connu.`,
    )
  const dials = parseDials(reading, prm)
  const indexes = parseReadingIndexes(reading, dials, prm, 'R15')
  const quantities = parseQuantities(reading, dials, prm, writtenAt)
  if (status !== 'ANNULE') return { status, indexes, quantities }
  return {
    status,
    indexes: indexes.map((index) => ({ ...index, wh: null })),
    quantities: quantities.map((one) => ({ ...one, quantities: [] })),
  }
}

function parseQuantities(reading: XmlElement, dials: Dial[], prm: string, writtenAt: Date | null): ParsedQuantities[] {
  const collective = dials.filter(({ measure }) => Object.hasOwn(COLLECTIVE_CLASSES, measure))
  if (collective.length === 0) return []
  const previous = getChildText(reading, 'Date_Releve_Precedent')
  if (!previous)
    throw new QuarantineError(
      'content',
      `Point ${prm}${NBSP}: un relevé de classes collectives n’a pas de date de relevé précédent. Sa période est inconnue.`,
    )
  const [from, to] = [parseStampDay(previous, prm), parseStampDay(getChildText(reading, 'Date_Releve'), prm)]
  if (from >= to)
    throw new QuarantineError('content', `Point ${prm}${NBSP}: un relevé du ${to} suit un relevé du ${from}.`)
  // The same energy is given in the distributor's and in the supplier's time classes: the distributor's are used.
  const own = collective.filter(({ grid }) => grid === 'DISTRIB')
  const counted = own.length > 0 ? own : collective
  return (['consumption', 'production'] as const).flatMap((direction) => {
    const quantities = counted.flatMap(({ measure, grid, name, wh }) => {
      const known = COLLECTIVE_CLASSES[measure]
      return known?.direction === direction ? [{ type: known.type, calendar: grid, name, wh }] : []
    })
    return quantities.length > 0 ? [{ prm, direction, from, to, quantities, writtenAt }] : []
  })
}

/** Among readings of the same period a rectification prevails; without one, a cancellation does. */
const STATUS_WEIGHTS: Record<string, number> = { INITIAL: 0, ANNULE: 1, RECTIFICATIF: 2 }

function keepLatest<K extends 'indexes' | 'quantities'>(
  readings: Reading[],
  what: K,
  keyOf: (one: Reading[K][number]) => string[],
): Reading[K][number][] {
  const kept = new Map<string, { weight: number; one: Reading[K][number] }>()
  for (const reading of readings)
    for (const one of reading[what]) {
      const key = keyOf(one).join('\u0000')
      const weight = STATUS_WEIGHTS[reading.status] ?? 0
      const before = kept.get(key)
      if (!before || weight >= before.weight) kept.set(key, { weight, one })
    }
  return [...kept.values()].map(({ one }) => one)
}
