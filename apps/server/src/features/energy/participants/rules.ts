import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { frenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { frenchSpan, overlaps, type Span } from './periods.ts'

export type Fault = { field: string; message: string }
/** A participation of a point, with the names a refusal needs. */
export type Held = Span & {
  id: string
  operationId: string
  operationName: string
  participantId: string
  participantName: string
  pointId: string
  agreementSignedOn: string | null
  /** Where it was said, when it comes from the same file. */
  line?: number
}
/** What stands in the way is told; whose it is, only to those who may know. */
export const unnamed = <T extends Pick<Held, 'operationId' | 'operationName' | 'participantName'>>(
  { operationIds }: Actor,
  held: T,
): T =>
  operationIds && !operationIds.includes(held.operationId)
    ? { ...held, operationName: 'une autre opération', participantName: 'une autre personne' }
    : held

export type Frame = { id: string; name: string; startsOn: string | null; endsOn: string | null }

/** Entries, exits and changes of holder of a company are settled one after the other: two at once cannot both find the point free. */
export const lockEnrolments = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`enrolments ${companyId}`}, 0))`)

export function periodFaults(operation: Frame, { startsOn, endsOn }: Span): Fault[] {
  const faults: Fault[] = []
  if (endsOn !== null && endsOn <= startsOn)
    faults.push({
      field: 'endsOn',
      message: `La sortie (${frenchDay(endsOn)}) doit suivre l’entrée (${frenchDay(startsOn)}).`,
    })
  if (operation.startsOn && startsOn < operation.startsOn)
    faults.push({
      field: 'startsOn',
      message: `L’entrée (${frenchDay(startsOn)}) ne peut pas précéder le début de l’opération «\u00a0${operation.name}\u00a0» (${frenchDay(operation.startsOn)}).`,
    })
  if (operation.endsOn && startsOn >= operation.endsOn)
    faults.push({
      field: 'startsOn',
      message: `L’entrée (${frenchDay(startsOn)}) doit précéder la fin de l’opération «\u00a0${operation.name}\u00a0» (${frenchDay(operation.endsOn)}).`,
    })
  return faults
}

/** A point is in one operation at a time, and has one holder at a time in it. */
export function overlapFault(operationId: string, span: Span, others: Held[]): string | null {
  const other = others.find((held) => overlaps(held, span))
  if (!other) return null
  if (other.line !== undefined) return `Ce PRM est déjà à la ligne ${other.line}, pour une période commune.`
  if (other.operationId === operationId)
    return `Ce point est déjà celui de «\u00a0${other.participantName}\u00a0» dans cette opération (${frenchSpan(other)})\u00a0: changez plutôt son titulaire.`
  return `Ce point prend déjà part à «\u00a0${other.operationName}\u00a0» (${frenchSpan(other)})\u00a0: un point n’est que dans une opération à la fois.`
}
