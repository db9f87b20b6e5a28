import type { ParticipantLine } from '@voisol/contract/participants'
import { number } from '../../../lib/format.ts'
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
  email: line.email ?? '',
  kva: thousandth(line.subscribedVa),
})

/** A line about a point that is already there takes its place and keeps its share of the key. */
function merge<R extends PlantRow | ConsumerRow>(rows: R[], added: R[]): R[] {
  const digits = (row: R) => row.prm.replace(/\D/g, '')
  const next = new Map(added.map((row) => [digits(row), row]))
  const kept = rows
    .filter((row) => !isBlank(row))
    .map((row) => {
      const newer = next.get(digits(row))
      next.delete(digits(row))
      if (!newer) return row
      return 'share' in row ? { ...newer, share: row.share, rank: row.rank } : newer
    })
  return [...kept, ...next.values()]
}

/** The good lines of a file, each where it belongs: what injects among the producers, the rest among the consumers. */
export function takeOver({ producers, consumers }: Pick<Draft, 'producers' | 'consumers'>, lines: ParticipantLine[]) {
  const injects = ({ direction }: ParticipantLine) => direction === 'production'
  return {
    producers: merge(producers, lines.filter(injects).map(plantOf)),
    consumers: merge(consumers, lines.filter((line) => !injects(line)).map(consumerOf)),
  }
}
