import { randomUUID } from 'node:crypto'
import { getMissingNameIssue, normalizeName, normalizeNames } from '@voisol/contract/participant-names'
import type { ParticipantLine } from '@voisol/contract/participants'
import { getSegmentError, getUsualSegment } from '@voisol/contract/points'
import { findCommune } from '../../../core/communes.ts'
import { describeStorageConflict } from './batteries.ts'
import type { EnrolmentData, PointRow } from './enrolment-data.ts'
import type { ParticipantRow } from './participant-scope.ts'
import {
  checkParticipationDays,
  describeOverlap,
  type FieldIssue,
  isOverlapping,
  type NamedParticipation,
} from './participation-rules.ts'

type PlannedRecord<T> = { row: T; state: 'new' | 'changed' | 'stored' }
type PlannedPoint = PlannedRecord<PointRow>
/** The result of a line: refused with its errors, or the three records to write. */
export type PlannedLine = { line: ParticipantLine; faults: FieldIssue[] } & (
  | { outcome: 'refused' }
  | {
      outcome: 'created' | 'updated' | 'unchanged'
      person: EnrolledPerson
      point: PlannedPoint
      participation: PlannedRecord<NamedParticipation>
      before: NamedParticipation | null
    }
)
type EnrolmentState = {
  known: EnrolmentData
  people: PeopleIndex
  points: Map<string, PlannedPoint>
  held: Map<string, NamedParticipation[]>
}
type PointLine = ParticipantLine
export type PlanLinesOptions = { companyId: number; startsOn: string; numbers: number[] }

export const getPointKey = ({ prm, direction }: { prm: string; direction: string }) => `${prm} ${direction}`

function createEnrolmentState(known: EnrolmentData): EnrolmentState {
  const people: PeopleIndex = new Map()
  const byId = new Map(known.people.map((row) => [row.id, { row, state: 'stored' as const }]))
  for (const person of byId.values()) indexPerson(people, person)
  for (const { participantId, participantName, prm } of known.held) {
    const person = byId.get(participantId)
    if (person) indexPerson(people, person, getPersonPointKey(participantName, prm))
  }
  const points = new Map(known.points.map((row) => [getPointKey(row), { row, state: 'stored' as const }]))
  return { known, people, points, held: Map.groupBy(known.held, ({ pointId }) => pointId) }
}

const TECHNICAL_FIELDS = [
  ...(['label', 'segment', 'subscribedVa', 'peakWatts', 'azimuth', 'tilt'] as const),
  ...(['commissionedOn', 'latitude', 'longitude', 'storage'] as const),
]

/** The given fields of a point; the others are left unchanged. */
export function toPointValues({ pointAddress, ...line }: Partial<ParticipantLine>) {
  const givenValues = TECHNICAL_FIELDS.flatMap((key) => (line[key] === undefined ? [] : [[key, line[key]]]))
  return {
    ...Object.fromEntries(givenValues),
    ...(pointAddress !== undefined && { address: pointAddress }),
  } as Partial<PointRow> // keys of both
}

/** The place of a point: as given, or if none is known the centre of its commune. */
function getPlaceValues(row: PointRow | undefined, line: PointLine): Partial<PointRow> {
  if (typeof line.latitude === 'number' && typeof line.longitude === 'number') {
    const moved = line.latitude !== row?.latitude || line.longitude !== row?.longitude
    return moved ? { precision: 'address' } : {}
  }
  if (row && row.latitude !== null && row.longitude !== null) return {}
  const commune = findCommune(line.postalCode, line.city)
  if (commune?.latitude == null || commune.longitude === null) return {}
  const { latitude, longitude } = commune
  return { latitude, longitude, precision: 'commune' }
}

const EMPTY_POINT = {
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

export function planPoint(companyId: number, knownPoint: PlannedPoint | undefined, line: PointLine): PlannedPoint {
  const values = { ...toPointValues(line), ...getPlaceValues(knownPoint?.row, line) }
  const { prm, direction } = line
  if (!knownPoint) {
    const newPoint = {
      companyId,
      id: randomUUID(),
      createdAt: new Date(),
      prm,
      direction,
      segment: getUsualSegment(direction),
    }
    return { row: { ...EMPTY_POINT, ...newPoint, ...values }, state: 'new' }
  }
  const differs = Object.entries(values).some(([key, value]) => knownPoint.row[key as keyof PointRow] !== value) // keys of the row
  if (!differs) return knownPoint
  return { row: { ...knownPoint.row, ...values }, state: knownPoint.state === 'new' ? 'new' : 'changed' }
}

type ParticipationContext = {
  person: EnrolledPerson
  point: PlannedPoint
  others: NamedParticipation[]
  startsOn: string
}

/** The participation a line refers to: its existing one in this operation with the new days, or a new one. */
function planParticipation(
  { known }: EnrolmentState,
  line: ParticipantLine,
  { person, point, others, startsOn }: ParticipationContext,
) {
  const { operation } = known
  const requestedPeriod = { startsOn: line.startsOn ?? startsOn, endsOn: line.endsOn ?? null }
  const before = others.find(
    (held) =>
      held.line === undefined &&
      held.operationId === operation.id &&
      held.participantId === person.row.id &&
      isOverlapping(held, requestedPeriod),
  )
  if (!before) {
    const names = { operationId: operation.id, operationName: operation.name, participantName: person.row.name }
    const ids = { id: randomUUID(), participantId: person.row.id, pointId: point.row.id }
    const row: NamedParticipation = {
      ...ids,
      ...names,
      ...requestedPeriod,
      agreementSignedOn: line.agreementSignedOn ?? null,
    }
    return { participation: { row, state: 'new' as const }, before: null }
  }
  const row: NamedParticipation = {
    ...before,
    startsOn: line.startsOn ?? before.startsOn,
    endsOn: line.endsOn === undefined ? before.endsOn : line.endsOn,
    agreementSignedOn: line.agreementSignedOn === undefined ? before.agreementSignedOn : line.agreementSignedOn,
  }
  const same = (['startsOn', 'endsOn', 'agreementSignedOn'] as const).every((key) => row[key] === before[key])
  return { participation: { row, state: same ? ('stored' as const) : ('changed' as const) }, before }
}

function checkLine(
  enrolment: EnrolmentState,
  line: ParticipantLine,
  row: NamedParticipation,
  others: NamedParticipation[],
): FieldIssue[] {
  const { operation } = enrolment.known
  const faults: FieldIssue[] = []
  const nature = describeStorageConflict(line, enrolment.known.points, enrolment.known.held)
  if (nature) faults.push({ field: 'prm', message: nature })
  const { kind, name } = normalizeNames(line)
  if (!name) faults.push(getMissingNameIssue(kind))
  const segment = getSegmentError(line.direction, line.segment)
  if (segment) faults.push({ field: 'segment', message: segment })
  faults.push(...checkParticipationDays(operation, row))
  const overlap = describeOverlap(operation.id, row, others)
  if (overlap) faults.push({ field: 'prm', message: overlap })
  return faults
}

function planLine(
  enrolment: EnrolmentState,
  line: ParticipantLine,
  number: number,
  { companyId, startsOn }: PlanLinesOptions,
): PlannedLine {
  const { person, was } = matchPerson(enrolment.people, companyId, line)
  const known = enrolment.points.get(getPointKey(line))
  const point = planPoint(companyId, known, line)
  const others = enrolment.held.get(point.row.id) ?? []
  const { participation, before } = planParticipation(enrolment, line, { person, point, others, startsOn })
  const faults = checkLine(
    enrolment,
    line,
    participation.row,
    others.filter((held) => held !== before),
  )
  if (faults.length) return { line, faults, outcome: 'refused' }
  // Two lines about one person write one record, with the later line's values.
  const keptPerson = was ? Object.assign(was, person) : person
  indexPerson(enrolment.people, keptPerson, getPersonPointKey(keptPerson.row.name, line.prm))
  const keptPoint = known ? Object.assign(known, point) : point
  enrolment.points.set(getPointKey(line), keptPoint)
  enrolment.held.set(point.row.id, [
    ...others.filter((held) => held !== before),
    { ...participation.row, line: number },
  ])
  const isChanged = [person, point, participation].some(({ state }) => state !== 'stored')
  const outcome = participation.state === 'new' ? 'created' : isChanged ? 'updated' : 'unchanged'
  return { line, faults, outcome, person: keptPerson, point: keptPoint, participation, before }
}

/** Plans the lines one after the other. Writes nothing. */
export function planLines(known: EnrolmentData, lines: ParticipantLine[], options: PlanLinesOptions): PlannedLine[] {
  const enrolment = createEnrolmentState(known)
  return lines.map((line, i) => planLine(enrolment, line, options.numbers[i] ?? i + 1, options))
}

/** A person as it will be stored; `stored` means nothing has to be written. */
type EnrolledPerson = { row: ParticipantRow; state: 'new' | 'changed' | 'stored' }
type PeopleIndex = Map<string, EnrolledPerson>

/** Fields that a line may change of a known person: never the name, and never with an empty cell. */
const CONTACT_FIELDS = ['siren', 'email', 'phone', 'address', 'postalCode', 'city', 'notes'] as const

type PersonIdentity = Pick<ParticipantRow, 'name' | 'siren' | 'email' | 'address' | 'postalCode'>
const getSirenKey = ({ siren }: PersonIdentity) => siren && `siren ${siren}`
const getEmailKey = ({ email }: PersonIdentity) => email && `email ${email}`
const getAddressKey = ({ name, address, postalCode }: PersonIdentity) =>
  address && `address ${normalizeName(name)} | ${normalizeName(address)} | ${postalCode}`
const getPersonPointKey = (name: string, prm: string) => `point ${normalizeName(name)} | ${prm}`

/** The first person with a key keeps it. */
function addKeys(people: PeopleIndex, person: EnrolledPerson, ...keys: string[]) {
  for (const key of keys) if (key && !people.has(key)) people.set(key, person)
}
const indexPerson = (people: PeopleIndex, person: EnrolledPerson, ...more: string[]) =>
  addKeys(people, person, getSirenKey(person.row), getEmailKey(person.row), getAddressKey(person.row), ...more)

function findPerson(people: PeopleIndex, facts: PersonIdentity, prm: string): EnrolledPerson | undefined {
  const sameSiren = people.get(getSirenKey(facts))
  if (sameSiren) return sameSiren
  const sameEmail = people.get(getEmailKey(facts))
  // Several companies may share one manager's e-mail address.
  if (sameEmail && !(sameEmail.row.siren && facts.siren)) return sameEmail
  return people.get(getAddressKey(facts)) ?? people.get(getPersonPointKey(facts.name, prm))
}

const EMPTY_PARTICIPANT = {
  email: '',
  phone: '',
  address: '',
  postalCode: '',
  city: '',
  notes: '',
  tags: [],
  userId: null,
  iban: null,
  ibanEnd: '',
  mandateReference: '',
  mandateSignedOn: null,
  erasureAskedOn: null,
  erasedOn: null,
  version: 1,
}

/** The person a line refers to, with its changes; other lines only see them once the line is accepted. */
function matchPerson(
  people: PeopleIndex,
  companyId: number,
  line: ParticipantLine,
): { person: EnrolledPerson; was?: EnrolledPerson } {
  const names = normalizeNames(line)
  const contact = Object.fromEntries(CONTACT_FIELDS.flatMap((key) => (line[key] ? [[key, line[key]]] : [])))
  const newRow: ParticipantRow = {
    ...EMPTY_PARTICIPANT,
    ...names,
    ...contact,
    companyId,
    id: randomUUID(),
    createdAt: new Date(),
  }
  const knownPerson = findPerson(people, newRow, line.prm)
  if (!knownPerson) return { person: { row: newRow, state: 'new' } }
  const differs = CONTACT_FIELDS.some((key) => line[key] && line[key] !== knownPerson.row[key])
  if (!differs) return { person: knownPerson, was: knownPerson }
  const state = knownPerson.state === 'new' ? 'new' : 'changed'
  return { person: { row: { ...knownPerson.row, ...contact }, state }, was: knownPerson }
}
