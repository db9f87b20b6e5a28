import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { formatParticipationDays, isOverlapping, type ParticipationDays } from './periods.ts'

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
/** Describes a conflict, without the names that the actor may not see. */
export const hideForeignNames = <
  T extends Pick<NamedParticipation, 'operationId' | 'operationName' | 'participantName'>,
>(
  { operationIds }: Actor,
  participation: T,
): T =>
  operationIds && !operationIds.includes(participation.operationId)
    ? { ...participation, operationName: 'une autre opération', participantName: 'une autre personne' }
    : participation

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
