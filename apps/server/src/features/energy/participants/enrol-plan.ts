import { randomUUID } from 'node:crypto'
import type { ParticipantLine } from '@voisol/contract/participants'
import { segmentFault, usualSegment } from '@voisol/contract/points'
import { communeOf } from '../../../core/communes.ts'
import { natureFault } from './batteries.ts'
import type { Known, PointRow } from './enrol-known.ts'
import { byPoint, type People, type Person, personOf, remember } from './enrol-people.ts'
import { missingName, namesOf } from './identity.ts'
import { overlaps } from './periods.ts'
import { type Fault, type Held, overlapFault, periodFaults } from './rules.ts'

type Kept<T> = { row: T; state: 'new' | 'changed' | 'stored' }
export type PlannedPoint = Kept<PointRow>
/** What becomes of a line: refused with its faults, or the three records it settles. */
export type Planned = { line: ParticipantLine; faults: Fault[] } & (
  | { outcome: 'refused' }
  | {
      outcome: 'created' | 'updated' | 'unchanged'
      person: Person
      point: PlannedPoint
      participation: Kept<Held>
      before: Held | null
    }
)
type Desk = { known: Known; people: People; points: Map<string, PlannedPoint>; held: Map<string, Held[]> }
type PointLine = ParticipantLine
export type Options = { companyId: number; startsOn: string; numbers: number[] }

export const pointKey = ({ prm, direction }: { prm: string; direction: string }) => `${prm} ${direction}`

function openDesk(known: Known): Desk {
  const people: People = new Map()
  const byId = new Map(known.people.map((row) => [row.id, { row, state: 'stored' as const }]))
  for (const person of byId.values()) remember(people, person)
  for (const { participantId, participantName, prm } of known.held) {
    const person = byId.get(participantId)
    if (person) remember(people, person, byPoint(participantName, prm))
  }
  const points = new Map(known.points.map((row) => [pointKey(row), { row, state: 'stored' as const }]))
  return { known, people, points, held: Map.groupBy(known.held, ({ pointId }) => pointId) }
}

const TECHNICAL = [
  ...(['label', 'segment', 'subscribedVa', 'peakWatts', 'azimuth', 'tilt'] as const),
  ...(['commissionedOn', 'latitude', 'longitude', 'storage'] as const),
]

/** What is said of a point; what is not said stays as it is. */
export function pointValues({ pointAddress, ...line }: Partial<ParticipantLine>) {
  const said = TECHNICAL.flatMap((key) => (line[key] === undefined ? [] : [[key, line[key]]]))
  return {
    ...Object.fromEntries(said),
    ...(pointAddress !== undefined && { address: pointAddress }),
  } as Partial<PointRow> // keys of both
}

/** Where a point lies: as it is said; else, where nothing is known of it, in the middle of its commune. */
function placeOf(row: PointRow | undefined, line: PointLine): Partial<PointRow> {
  if (typeof line.latitude === 'number' && typeof line.longitude === 'number') {
    const moved = line.latitude !== row?.latitude || line.longitude !== row?.longitude
    return moved ? { precision: 'address' } : {}
  }
  if (row && row.latitude !== null && row.longitude !== null) return {}
  const commune = communeOf(line.postalCode, line.city)
  if (commune?.latitude == null || commune.longitude === null) return {}
  const { latitude, longitude } = commune
  return { latitude, longitude, precision: 'commune' }
}

const BARE = {
  label: '',
  subscribedVa: null,
  peakWatts: null,
  azimuth: null,
  tilt: null,
  commissionedOn: null,
  address: '',
  latitude: null,
  longitude: null,
  storage: false,
  precision: 'address',
  version: 1,
}

export function plannedPoint(companyId: number, was: PlannedPoint | undefined, line: PointLine): PlannedPoint {
  const values = { ...pointValues(line), ...placeOf(was?.row, line) }
  const { prm, direction } = line
  if (!was) {
    const made = {
      companyId,
      id: randomUUID(),
      createdAt: new Date(),
      prm,
      direction,
      segment: usualSegment(direction),
    }
    return { row: { ...BARE, ...made, ...values }, state: 'new' }
  }
  const differs = Object.entries(values).some(([key, value]) => was.row[key as keyof PointRow] !== value) // keys of the row
  if (!differs) return was
  return { row: { ...was.row, ...values }, state: was.state === 'new' ? 'new' : 'changed' }
}

type Place = { person: Person; point: PlannedPoint; others: Held[]; startsOn: string }

/** The participation a line means: the one it already has in this operation, with the days it says, or another one. */
function participationOf({ known }: Desk, line: ParticipantLine, { person, point, others, startsOn }: Place) {
  const { operation } = known
  const wanted = { startsOn: line.startsOn ?? startsOn, endsOn: line.endsOn ?? null }
  const before = others.find(
    (held) =>
      held.line === undefined &&
      held.operationId === operation.id &&
      held.participantId === person.row.id &&
      overlaps(held, wanted),
  )
  if (!before) {
    const names = { operationId: operation.id, operationName: operation.name, participantName: person.row.name }
    const ids = { id: randomUUID(), participantId: person.row.id, pointId: point.row.id }
    const row: Held = { ...ids, ...names, ...wanted, agreementSignedOn: line.agreementSignedOn ?? null }
    return { participation: { row, state: 'new' as const }, before: null }
  }
  const row: Held = {
    ...before,
    startsOn: line.startsOn ?? before.startsOn,
    endsOn: line.endsOn === undefined ? before.endsOn : line.endsOn,
    agreementSignedOn: line.agreementSignedOn === undefined ? before.agreementSignedOn : line.agreementSignedOn,
  }
  const same = (['startsOn', 'endsOn', 'agreementSignedOn'] as const).every((key) => row[key] === before[key])
  return { participation: { row, state: same ? ('stored' as const) : ('changed' as const) }, before }
}

function faultsOf(desk: Desk, line: ParticipantLine, row: Held, others: Held[]): Fault[] {
  const { operation } = desk.known
  const faults: Fault[] = []
  const nature = natureFault(line, desk.known.points, desk.known.held)
  if (nature) faults.push({ field: 'prm', message: nature })
  const { kind, name } = namesOf(line)
  if (!name) faults.push(missingName(kind))
  const segment = segmentFault(line.direction, line.segment)
  if (segment) faults.push({ field: 'segment', message: segment })
  faults.push(...periodFaults(operation, row))
  const overlap = overlapFault(operation.id, row, others)
  if (overlap) faults.push({ field: 'prm', message: overlap })
  return faults
}

function planLine(desk: Desk, line: ParticipantLine, number: number, { companyId, startsOn }: Options): Planned {
  const { person, was } = personOf(desk.people, companyId, line)
  const known = desk.points.get(pointKey(line))
  const point = plannedPoint(companyId, known, line)
  const others = desk.held.get(point.row.id) ?? []
  const { participation, before } = participationOf(desk, line, { person, point, others, startsOn })
  const faults = faultsOf(
    desk,
    line,
    participation.row,
    others.filter((held) => held !== before),
  )
  if (faults.length) return { line, faults, outcome: 'refused' }
  // Two lines about one person write one record: the later line's values are the ones kept.
  const kept = was ? Object.assign(was, person) : person
  remember(desk.people, kept, byPoint(kept.row.name, line.prm))
  const settled = known ? Object.assign(known, point) : point
  desk.points.set(pointKey(line), settled)
  desk.held.set(point.row.id, [...others.filter((held) => held !== before), { ...participation.row, line: number }])
  const touched = [person, point, participation].some(({ state }) => state !== 'stored')
  const outcome = participation.state === 'new' ? 'created' : touched ? 'updated' : 'unchanged'
  return { line, faults, outcome, person: kept, point: settled, participation, before }
}

/** What the lines would do, one after the other. Nothing is written. */
export function planLines(known: Known, lines: ParticipantLine[], options: Options): Planned[] {
  const desk = openDesk(known)
  return lines.map((line, i) => planLine(desk, line, options.numbers[i] ?? i + 1, options))
}
