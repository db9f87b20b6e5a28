import { addDays, dayOf, isDay } from '@voisol/energy/calendar'
import { parseDirection } from '@voisol/file-formats/cell-values'
import type { Direction } from '@voisol/file-formats/curve-file-types'
import { NBSP, quoteText } from '@voisol/file-formats/french'
import {
  type PublishedMeasure,
  parsePublishedQuantities,
  type StampedValue,
} from '@voisol/file-formats/published-measures'
import { scanXml } from '@voisol/file-formats/scan-xml'
import type { EnedisQuantity } from '../../../integrations/enedis/enedis-types.ts'
import type { FileDataSink, ParsedContractEvent, ParsedIndex, ParsedQuantities } from './parsed-content.ts'
import { QuarantineError } from './quarantine.ts'

/** Contract events of points up to 36 kVA, with the index readings before and after the event. */
export async function readC15(text: string, sink: FileDataSink): Promise<void> {
  const events: ParsedContractEvent[] = []
  const indexes: ParsedIndex[] = []
  forEachElement(text, ['PRM'], (point) => {
    const prm = parsePrm(point, 'Id_PRM')
    const event = findChild(point, 'Evenement_Declencheur')
    if (!event)
      throw new QuarantineError('content', `Point ${prm}${NBSP}: ce C15 ne dit pas quel événement l’a déclenché.`)
    events.push(parseContractEvent(point, event, prm))
    const readings = findChild(event, 'Releves')
    for (const reading of readings ? listChildren(readings, 'Donnees_Releve') : [])
      indexes.push(...parseReadingIndexes(reading, parseDials(reading, prm), prm, getReadingSource(reading)))
  })
  await sink.events(events)
  await sink.indexes(indexes)
}

const getReadingSource = (reading: XmlElement) =>
  getChildText(reading, 'Code_Qualification') === '1' ? 'C15-avant' : 'C15'

function parseContractEvent(point: XmlElement, event: XmlElement, prm: string): ParsedContractEvent {
  const collective = getChildText(point, 'Autoconsommation_Collective')
  return {
    prm,
    event: getChildText(event, 'Nature_Evenement') || getChildText(event, 'Type_Evenement'),
    on: parseStampDay(getChildText(event, 'Date_Evenement'), prm),
    collective: /^[012]$/.test(collective) ? Number(collective) : null,
  }
}

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

/** R64: indexes at the start of the labelled day. */
export async function readR64(body: unknown, sink: FileDataSink): Promise<void> {
  const indexes = parsePublishedQuantities(body).flatMap(parseR64Indexes)
  if (indexes.length === 0) throw new QuarantineError('content', 'Ce R64 ne contient aucun index d’énergie active.')
  await sink.indexes(indexes)
}

function parseR64Indexes({ prm, quantity }: PublishedMeasure): ParsedIndex[] {
  const scale = findUnitScale(quantity.unite)
  if (!scale || quantity.grandeurPhysique !== 'EA') return []
  const direction = parseDirection(quantity.grandeurMetier) ?? 'consumption'
  const rows = (calendar: string, name: string, values: StampedValue[]) =>
    values.flatMap(({ d, v }) =>
      v == null || v === ''
        ? []
        : [{ prm, direction, day: parseStampDay(d, prm), calendar, name, wh: parseWh(v, scale, prm), source: 'R64' }],
    )
  return [
    ...quantity.calendrier.flatMap(({ idCalendrier, classeTemporelle }) =>
      classeTemporelle.flatMap(({ idClasseTemporelle, valeur }) => rows(idCalendrier, idClasseTemporelle, valeur)),
    ),
    ...rows('', 'TOTAL', quantity.cadranTotalisateur?.valeur ?? []),
  ]
}

const CLASS_GRIDS = [
  ['Classe_Temporelle_Distributeur', 'Id_Calendrier_Distributeur'],
  ['Classe_Temporelle', 'Id_Calendrier_Fournisseur'],
] as const

/**
 * R151: daily indexes of points up to 36 kVA. The date is the day that the reading closes, and the next day opens with
 * it.
 */
export async function readR151(text: string, sink: FileDataSink): Promise<void> {
  const indexes: ParsedIndex[] = []
  let scale: number | undefined
  let unit = ''
  forEachElement(text, ['En_Tete_Flux', 'PRM'], (element) => {
    if (element.name === 'En_Tete_Flux') {
      unit = getChildText(element, 'Unite_Mesure_Index')
      scale = findUnitScale(unit)
      return
    }
    if (!scale)
      throw new QuarantineError(
        'content',
        `L’unité des index de ce R151 est ${quoteText(unit)}. Attendu${NBSP}: Wh ou kWh.`,
      )
    const prm = parsePrm(element, 'Id_PRM')
    for (const reading of listChildren(element, 'Donnees_Releve'))
      indexes.push(...parseDailyIndexes(reading, prm, scale))
  })
  await sink.indexes(indexes)
}

function parseDailyIndexes(reading: XmlElement, prm: string, scale: number): ParsedIndex[] {
  const day = parseStampDay(getChildText(reading, 'Date_Releve'), prm, 1)
  return CLASS_GRIDS.flatMap(([name, calendar]) =>
    listChildren(reading, name).map((dial) => ({
      prm,
      direction: 'consumption' as const,
      day,
      source: 'R151',
      calendar: getChildText(reading, calendar),
      name: getChildText(dial, 'Id_Classe_Temporelle'),
      wh: parseWh(getChildText(dial, 'Valeur'), scale, prm),
    })),
  )
}

/**
 * R171: daily indexes of points above 36 kVA, read in the night that opens the day; reactive energy and durations are
 * ignored.
 */
export async function readR171(text: string, sink: FileDataSink): Promise<void> {
  const indexes: ParsedIndex[] = []
  forEachElement(text, ['serieMesuresDatees'], (series) => {
    const scale = findUnitScale(getChildText(series, 'unite'))
    if (getChildText(series, 'type') !== 'INDEX' || getChildText(series, 'grandeurPhysique') !== 'EA' || !scale) return
    const prm = parsePrm(series, 'prmId')
    const about = {
      prm,
      source: 'R171',
      direction: getChildText(series, 'grandeurMetier') === 'PROD' ? ('production' as const) : ('consumption' as const),
      calendar: getChildText(series, 'typeCalendrier'),
      name: getChildText(series, 'codeClasseTemporelle'),
    }
    for (const list of listChildren(series, 'mesuresDateesListe'))
      for (const measure of listChildren(list, 'mesureDatee'))
        indexes.push({
          ...about,
          day: parseStampDay(getChildText(measure, 'dateFin'), prm),
          wh: parseWh(getChildText(measure, 'valeur'), scale, prm),
        })
  })
  if (indexes.length === 0) throw new QuarantineError('content', 'Ce R171 ne contient aucun index d’énergie active.')
  await sink.indexes(indexes)
}

/** One register of a reading: an index, or the energy of a collective class. */
type Dial = {
  /** The distributor's time classes, or the supplier's. */
  grid: 'DISTRIB' | 'FOURN'
  calendar: string
  name: string
  /** 1: index, 2: consumption, 3 to 6: the classes of collective self-consumption. */
  measure: string
  direction: Direction
  wh: number
}

const READING_GRIDS = [
  { grid: 'DISTRIB', element: 'Classe_Temporelle_Distributeur', calendar: 'Id_Calendrier_Distributeur' },
  { grid: 'FOURN', element: 'Classe_Temporelle', calendar: 'Id_Calendrier' },
] as const

/** The registers of an R15 or C15 reading, without those that are not energy (reactive, power). */
const parseDials = (reading: XmlElement, prm: string): Dial[] =>
  READING_GRIDS.flatMap(({ grid, element, calendar }) =>
    listChildren(reading, element).flatMap((dial) => {
      const scale = findUnitScale(getChildText(dial, 'Unite_Mesure'))
      if (!scale) return []
      return {
        grid,
        calendar: getChildText(reading, calendar),
        name: getChildText(dial, 'Id_Classe_Temporelle'),
        measure: getChildText(dial, 'Classe_Mesure'),
        direction: getChildText(dial, 'Sens_Mesure') === '1' ? 'production' : 'consumption',
        wh: parseWh(getChildText(dial, 'Valeur'), scale, prm),
      }
    }),
  )

/**
 * The indexes of a reading, labelled with the day that they open; for two of one name the distributor's class is used.
 */
function parseReadingIndexes(reading: XmlElement, dials: Dial[], prm: string, source: string): ParsedIndex[] {
  const day = parseStampDay(getChildText(reading, 'Date_Releve'), prm)
  const kept = new Map<string, ParsedIndex>()
  for (const { measure, direction, calendar, name, wh } of dials) {
    const key = [direction, calendar, name].join('\u0000')
    if (measure === '1' && !kept.has(key)) kept.set(key, { prm, direction, day, calendar, name, wh, source })
  }
  return [...kept.values()]
}

type XmlElement = { name: string; text: string; children: XmlElement[] }

/** Streams the elements of these names one by one, so that the document is never a whole tree in memory. */
function forEachElement(text: string, names: string[], take: (element: XmlElement) => void): void {
  const stack: XmlElement[] = []
  scanXml(text, {
    open(name) {
      if (stack.length === 0 && !names.includes(name)) return
      const element = { name, text: '', children: [] }
      stack.at(-1)?.children.push(element)
      stack.push(element)
    },
    close(_, content) {
      const element = stack.pop()
      if (!element) return
      if (element.children.length === 0) element.text = content.trim()
      if (stack.length === 0) take(element)
    },
  })
}

const findChild = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name)
const getChildText = (element: XmlElement, name: string): string => findChild(element, name)?.text ?? ''
const listChildren = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name)

const buildUnreadableError = (what: string, prm: string, text: string) =>
  new QuarantineError('content', `Point ${prm}${NBSP}: ${what} ${quoteText(text)} n’est pas lisible.`)

/** The local day of a timestamp, shifted by `days`. */
function parseStampDay(text: string, prm: string, days = 0): string {
  const day = text.slice(0, 10)
  const zoned = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text)
  const instant = zoned ? Date.parse(text) : 0
  if (!isDay(day) || Number.isNaN(instant)) throw buildUnreadableError('la date', prm, text)
  const local = zoned ? dayOf(Math.floor(instant / 60_000)) : day
  return addDays(local, days)
}

const UNIT_SCALES: Record<string, number> = { wh: 1, kwh: 1000, mwh: 1_000_000 }
/** Watt-hours per unit; undefined for a unit that is not energy. */
const findUnitScale = (unit: string): number | undefined => UNIT_SCALES[unit.trim().toLowerCase()]

function parseWh(text: string, scale: number, prm: string): number {
  if (!/^-?\d{1,12}([.,]\d{1,6})?$/.test(text)) throw buildUnreadableError('la valeur', prm, text)
  return Math.round(Number(text.replace(',', '.')) * scale)
}

function parsePrm(element: XmlElement, name: string): string {
  const prm = getChildText(element, name)
  if (!/^\d{14}$/.test(prm))
    throw new QuarantineError('content', `${quoteText(prm)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`)
  return prm
}
