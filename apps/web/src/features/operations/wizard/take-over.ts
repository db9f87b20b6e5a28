import type { ParticipantLine } from '@voisol/contract/participants'
import { usualSegment } from '@voisol/contract/points'
import { number, parseNumber } from '../../../lib/format.ts'
import { positionText } from '../../../lib/position.ts'
import { fullName } from './body.ts'
import { type ConsumerRow, type Draft, isBlank, newConsumer, newPlant, type PlantRow } from './draft.ts'

const thousandth = (value: number | null | undefined) =>
  typeof value === 'number' ? number(value / 1000).replaceAll('\u202f', '') : ''
const text = (value: number | null | undefined) => (typeof value === 'number' ? String(value) : '')

/** An organisation has a name of its own or a number; anybody else is a person. */
const kindOf = ({ kind, name, firstName, lastName, siren }: ParticipantLine) =>
  kind ?? (!firstName && (siren || (name && !lastName)) ? 'organisation' : 'person')

const common = (line: ParticipantLine) => ({
  kind: kindOf(line),
  name: fullName(line),
  prm: line.prm,
  position: positionText({ latitude: line.latitude ?? null, longitude: line.longitude ?? null }),
  segment: line.segment ?? usualSegment(line.direction),
  rest: line,
})

const plantOf = (line: ParticipantLine): PlantRow => ({
  ...newPlant(),
  ...common(line),
  kwc: thousandth(line.peakWatts),
  azimuth: text(line.azimuth),
  tilt: text(line.tilt),
})
const consumerOf = (line: ParticipantLine): ConsumerRow => ({
  ...newConsumer(),
  ...common(line),
  meter: line.storage ? 'battery' : 'home',
  email: line.email ?? '',
  kva: thousandth(line.subscribedVa),
})

type Row = PlantRow | ConsumerRow
/** What somebody typed and the file says otherwise: the typed value stands. */
export type Kept = { row: string; field: string; typed: string; said: string }

const FIELDS: Record<string, string> = {
  kind: 'Type',
  name: 'Nom',
  email: 'Adresse e-mail',
  kwc: 'Puissance crête',
  kva: 'Puissance souscrite',
  azimuth: 'Orientation',
  tilt: 'Inclinaison',
  position: 'Coordonnées',
  segment: 'Segment',
  meter: 'Compteur',
}
/** What a choice is called on the screen. */
const CHOICES: Record<string, string> = {
  person: 'Particulier',
  organisation: 'Organisation',
  home: 'Consommation',
  battery: 'Batterie',
}
const shown = (value: string) => CHOICES[value] ?? value
const NUMBERS = ['kwc', 'kva', 'azimuth', 'tilt']
const saysSame = (field: string, a: string, b: string) =>
  NUMBERS.includes(field) ? parseNumber(a) === parseNumber(b) : a.trim() === b.trim()

type Texts = Record<string, string>
const textsOf = (row: Row): Texts =>
  Object.fromEntries(Object.entries(row).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])))

/** As the row stood before anybody typed in it: as its file said, or as a new one. */
const untouched = (row: Row, fresh: () => Row, read: (line: ParticipantLine) => Row): Texts =>
  textsOf(
    row.rest.prm ? read({ ...row.rest, prm: row.rest.prm, direction: row.rest.direction ?? 'consumption' }) : fresh(),
  )

/** The kind, the segment and the nature of a meter follow from the rest of a line where it does not say them. */
const isSaid = ({ kind, segment, storage }: Row['rest'], field: string) => {
  if (field === 'kind') return kind !== undefined
  if (field === 'meter') return storage !== undefined
  return field !== 'segment' || segment !== undefined
}

/** The file fills what is empty and renews what it or an earlier file said; what was typed stays. */
function filled<R extends Row>(row: R, newer: R, was: Texts, kept: Kept[]): R {
  const [now, said] = [textsOf(row), textsOf(newer)]
  const values: Texts = {}
  for (const [field, label] of Object.entries(FIELDS)) {
    const [typed = '', word = ''] = [now[field], said[field]]
    const isTyped = typed.trim() !== '' && !saysSame(field, typed, was[field] ?? '')
    if (word === '') continue
    if (!isTyped) values[field] = word
    else if (isSaid(newer.rest, field) && !saysSame(field, typed, word))
      kept.push({ row: row.name || row.prm, field: label, typed: shown(typed), said: shown(word) })
  }
  return { ...row, ...values, rest: { ...row.rest, ...newer.rest } }
}

const digits = ({ prm }: Row) => prm.replace(/\D/g, '')

type Side<R extends Row> = { rows: R[]; fresh: () => R; read: (line: ParticipantLine) => R }
/** A line about a point that is already there completes it in its place; the others follow. */
function merge<R extends Row>({ rows, fresh, read }: Side<R>, lines: ParticipantLine[], kept: Kept[]): R[] {
  const next = new Map(lines.map(read).map((row) => [digits(row), row]))
  const stays = rows
    .filter((row) => !isBlank(row))
    .map((row) => {
      const newer = next.get(digits(row))
      next.delete(digits(row))
      return newer ? filled(row, newer, untouched(row, fresh, read), kept) : row
    })
  return [...stays, ...next.values()]
}

/** The good lines of a file, each where it belongs: what only injects among the producers, the rest and the batteries among the consumers. */
export function takeOver({ producers, consumers }: Pick<Draft, 'producers' | 'consumers'>, lines: ParticipantLine[]) {
  const kept: Kept[] = []
  const injects = ({ direction, storage }: ParticipantLine) => direction === 'production' && !storage
  const plants = { rows: producers, fresh: newPlant, read: plantOf }
  const homes = { rows: consumers, fresh: newConsumer, read: consumerOf }
  return {
    producers: merge(plants, lines.filter(injects), kept),
    consumers: merge(
      homes,
      lines.filter((line) => !injects(line)),
      kept,
    ),
    kept,
  }
}
