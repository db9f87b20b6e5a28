import { formatFrenchDay } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'

export type FieldIssue = { field: string; message: string }
/** A participation of a point, with the names needed for a refusal. */
export type NamedParticipation = ParticipationDays & {
  id: string
  operationId: string
  operationName: string
  participantId: string
  participantName: string
  pointId: string
  agreementSignedOn: string | null
  /** Its line, when it comes from the same file. */
  line?: number
}

export type OperationWithDates = { id: string; name: string; startsOn: string | null; endsOn: string | null }

/** Serialises entries, exits and changes of holder of a company, so that two cannot take the same point. */
export const lockEnrolments = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`enrolments ${companyId}`}, 0))`)

export function checkParticipationDays(
  operation: OperationWithDates,
  { startsOn, endsOn }: ParticipationDays,
): FieldIssue[] {
  const faults: FieldIssue[] = []
  if (endsOn !== null && endsOn <= startsOn)
    faults.push({
      field: 'endsOn',
      message: `La sortie (${formatFrenchDay(endsOn)}) doit suivre l’entrée (${formatFrenchDay(startsOn)}).`,
    })
  if (operation.startsOn && startsOn < operation.startsOn)
    faults.push({
      field: 'startsOn',
      message: `L’entrée (${formatFrenchDay(startsOn)}) ne peut pas précéder le début de l’opération «\u00a0${operation.name}\u00a0» (${formatFrenchDay(operation.startsOn)}).`,
    })
  if (operation.endsOn && startsOn >= operation.endsOn)
    faults.push({
      field: 'startsOn',
      message: `L’entrée (${formatFrenchDay(startsOn)}) doit précéder la fin de l’opération «\u00a0${operation.name}\u00a0» (${formatFrenchDay(operation.endsOn)}).`,
    })
  return faults
}

/** A point belongs to one operation at a time, with one holder at a time. */
export function describeOverlap(
  operationId: string,
  span: ParticipationDays,
  others: NamedParticipation[],
): string | null {
  const other = others.find((held) => isOverlapping(held, span))
  if (!other) return null
  if (other.line !== undefined) return `Ce PRM est déjà à la ligne ${other.line}, pour une période commune.`
  if (other.operationId === operationId)
    return `Ce point est déjà celui de «\u00a0${other.participantName}\u00a0» dans cette opération (${formatParticipationDays(other)})\u00a0: changez plutôt son titulaire.`
  return `Ce point prend déjà part à «\u00a0${other.operationName}\u00a0» (${formatParticipationDays(other)})\u00a0: un point n’est que dans une opération à la fois.`
}

/** Half-open range of days; without end while it lasts. */
export type ParticipationDays = { startsOn: string; endsOn: string | null }

const NO_END = '9999-12-31'
const getEnd = ({ endsOn }: ParticipationDays) => endsOn ?? NO_END

export const isOverlapping = (a: ParticipationDays, b: ParticipationDays) =>
  a.startsOn < getEnd(b) && b.startsOn < getEnd(a)
const formatParticipationDays = ({ startsOn, endsOn }: ParticipationDays) =>
  endsOn ? `du ${formatFrenchDay(startsOn)} au ${formatFrenchDay(endsOn)}` : `depuis le ${formatFrenchDay(startsOn)}`

/** The days that differ between two states of a participation: figures over them are outdated. */
export function getChangedRange(
  before: ParticipationDays | null,
  after: ParticipationDays | null,
): { from: string; to: string | null } | null {
  const onlyPeriod = before ?? after
  if (!onlyPeriod) return null
  if (!before || !after) return { from: onlyPeriod.startsOn, to: onlyPeriod.endsOn }
  const edges = [
    ...(before.startsOn === after.startsOn ? [] : [before.startsOn, after.startsOn]),
    ...(before.endsOn === after.endsOn ? [] : [getEnd(before), getEnd(after)]),
  ].sort()
  const [first, last] = [edges[0], edges.at(-1)]
  return first && last ? { from: first, to: last === NO_END ? null : last } : null
}

/** One range that contains them all. */
export function mergeIntoOneRange(
  ranges: { from: string; to: string | null }[],
): { from: string; to: string | null } | null {
  const from = ranges.map((span) => span.from).sort()[0]
  if (!from) return null
  const ends = ranges.map((span) => span.to ?? NO_END).sort()
  const last = ends.at(-1) ?? NO_END
  return { from, to: last === NO_END ? null : last }
}
