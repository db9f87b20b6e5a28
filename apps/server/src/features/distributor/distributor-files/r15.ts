import type { Quantity } from '../../../adapters/enedis/types.ts'
import type { Direction } from '../../../formats/types.ts'
import { NBSP } from '../../../french.ts'
import type { FoundIndex, FoundQuantities, Sink } from './found.ts'
import { type Dial, dialsOf, indexesOf } from './readings.ts'
import { Quarantined } from './refusal.ts'
import { allOf, dayOfStamp, type Element, eachElement, prmOf, textOf } from './tree.ts'

/** The classes of collective self-consumption: whose they are, and what they are to them. */
const CLASSES: Record<string, { direction: Direction; type: Quantity['type'] }> = {
  3: { direction: 'consumption', type: 'autocons' },
  4: { direction: 'consumption', type: 'complement' },
  5: { direction: 'production', type: 'autocons' },
  6: { direction: 'production', type: 'surplus' },
}

type Reading = { status: string; indexes: FoundIndex[]; quantities: FoundQuantities[] }

/** Billing readings of points up to 36 kVA: indexes, and energies of collective self-consumption. */
export async function readR15(text: string, sink: Sink): Promise<void> {
  let writtenAt: Date | null = null
  const readings: Reading[] = []
  eachElement(text, ['En_Tete_Flux', 'PRM'], (element) => {
    if (element.name === 'En_Tete_Flux') writtenAt = instantOf(textOf(element, 'Date_Creation'))
    else for (const reading of allOf(element, 'Donnees_Releve')) readings.push(readOne(element, reading, writtenAt))
  })
  await sink.indexes(
    latest(readings, 'indexes', ({ prm, direction, day, calendar, name }) => [prm, direction, day, calendar, name]),
  )
  await sink.quantities(latest(readings, 'quantities', ({ prm, direction, from, to }) => [prm, direction, from, to]))
}

const instantOf = (text: string): Date | null => {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}

function readOne(point: Element, reading: Element, writtenAt: Date | null): Reading {
  const prm = prmOf(point, 'Id_PRM')
  const status = textOf(reading, 'Statut_Releve')
  if (!['INITIAL', 'RECTIFICATIF', 'ANNULE'].includes(status))
    throw new Quarantined(
      'content',
      `Point ${prm}${NBSP}: le statut «${NBSP}${status}${NBSP}» d’un relevé n’est pas connu.`,
    )
  const dials = dialsOf(reading, prm)
  const indexes = indexesOf(reading, dials, prm, 'R15')
  const quantities = quantitiesOf(reading, dials, prm, writtenAt)
  if (status !== 'ANNULE') return { status, indexes, quantities }
  return {
    status,
    indexes: indexes.map((index) => ({ ...index, wh: null })),
    quantities: quantities.map((one) => ({ ...one, quantities: [] })),
  }
}

function quantitiesOf(reading: Element, dials: Dial[], prm: string, writtenAt: Date | null): FoundQuantities[] {
  const collective = dials.filter(({ measure }) => Object.hasOwn(CLASSES, measure))
  if (collective.length === 0) return []
  const previous = textOf(reading, 'Date_Releve_Precedent')
  if (!previous)
    throw new Quarantined(
      'content',
      `Point ${prm}${NBSP}: un relevé de classes collectives n’a pas de date de relevé précédent. Sa période est inconnue.`,
    )
  const [from, to] = [dayOfStamp(previous, prm), dayOfStamp(textOf(reading, 'Date_Releve'), prm)]
  if (from >= to) throw new Quarantined('content', `Point ${prm}${NBSP}: un relevé du ${to} suit un relevé du ${from}.`)
  // The same energy is given by the distributor's hours and by the supplier's: the distributor's count.
  const own = collective.filter(({ grid }) => grid === 'DISTRIB')
  const counted = own.length > 0 ? own : collective
  return (['consumption', 'production'] as const).flatMap((direction) => {
    const quantities = counted.flatMap(({ measure, grid, name, wh }) => {
      const known = CLASSES[measure]
      return known?.direction === direction ? [{ type: known.type, calendar: grid, name, wh }] : []
    })
    return quantities.length > 0 ? [{ prm, direction, from, to, quantities, writtenAt }] : []
  })
}

/** Of several readings of one thing a rectification is the last word; without one, an annulment is. */
const WEIGHTS: Record<string, number> = { INITIAL: 0, ANNULE: 1, RECTIFICATIF: 2 }

function latest<K extends 'indexes' | 'quantities'>(
  readings: Reading[],
  what: K,
  keyOf: (one: Reading[K][number]) => string[],
): Reading[K][number][] {
  const kept = new Map<string, { weight: number; one: Reading[K][number] }>()
  for (const reading of readings)
    for (const one of reading[what]) {
      const key = keyOf(one).join('\u0000')
      const weight = WEIGHTS[reading.status] ?? 0
      const before = kept.get(key)
      if (!before || weight >= before.weight) kept.set(key, { weight, one })
    }
  return [...kept.values()].map(({ one }) => one)
}
