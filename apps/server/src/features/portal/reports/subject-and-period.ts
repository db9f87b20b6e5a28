import type { ReportSpan, ReportSubject } from '@voisol/contract/report-blocks'
import { addMonths } from '@voisol/energy/calendar'
import { formatFrenchMonth } from '@voisol/file-formats/french'
import { and, asc, eq } from 'drizzle-orm'
import { operationScope } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'

export type ReportSubjectRef = {
  kind: ReportSubject
  id: string
  name: string
  /** The filter for its energy; null for a seller who is not a member. */
  where: { operationId: string } | { participantId: string } | null
}
const MAX_SUBJECTS = 1_000

/** Participants belong to the whole company: a user limited to operations has reports about these only. */
const canNamePeople = ({ operationIds }: Actor) => operationIds === null

const selectOperations = (db: Db, actor: Actor, id?: string) =>
  db
    .select({ id: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), id ? eq(operations.id, id) : undefined))
    .orderBy(asc(operations.name))
    .limit(MAX_SUBJECTS)

const selectParticipants = (db: Db, { companyId }: Actor, id?: string) =>
  db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), id ? eq(participants.id, id) : undefined))
    .orderBy(asc(participants.name))
    .limit(MAX_SUBJECTS)

const selectSellers = (db: Db, { companyId }: Actor, id?: string) =>
  db
    .select({ id: sellers.id, name: sellers.name, participantId: sellers.participantId })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), id ? eq(sellers.id, id) : undefined))
    .orderBy(asc(sellers.name))
    .limit(MAX_SUBJECTS)

export async function listReportSubjects(
  db: Db,
  actor: Actor,
  kind: ReportSubject,
): Promise<{ id: string; name: string }[]> {
  if (kind === 'operation') return selectOperations(db, actor)
  if (!canNamePeople(actor)) return []
  if (kind === 'participant') return selectParticipants(db, actor)
  return (await selectSellers(db, actor)).map(({ id, name }) => ({ id, name }))
}

export async function loadReportSubject(
  db: Db,
  actor: Actor,
  kind: ReportSubject,
  id: string,
): Promise<ReportSubjectRef> {
  if (kind !== 'operation' && !canNamePeople(actor)) throw new AppError('not-found')
  if (kind === 'producer') {
    const [row] = await selectSellers(db, actor, id)
    if (!row) throw new AppError('not-found')
    const { name, participantId } = row
    return { kind, id, name, where: participantId === null ? null : { participantId } }
  }
  const [row] = await (kind === 'operation' ? selectOperations(db, actor, id) : selectParticipants(db, actor, id))
  if (!row) throw new AppError('not-found')
  return { kind, id, name: row.name, where: kind === 'operation' ? { operationId: id } : { participantId: id } }
}

/** The database columns that identify the subject. */
export const toSubjectColumns = ({ kind, id }: Pick<ReportSubjectRef, 'kind' | 'id'>) => ({
  operationId: kind === 'operation' ? id : null,
  participantId: kind === 'participant' ? id : null,
  sellerId: kind === 'producer' ? id : null,
})

type DateRange = { from: string; to: string }
const PERIOD_FORMAT_MESSAGES = {
  month: 'Ce rapport est d’un mois, par exemple 2026-05.',
  year: 'Ce rapport est d’une année, par exemple 2026.',
}

/** Half-open, like all periods; a period that has not started is refused. */
export function getPeriodDays(span: ReportSpan, period: string): DateRange {
  if ((span === 'year') !== (period.length === 4)) throw fieldError('period', PERIOD_FORMAT_MESSAGES[span])
  const from = span === 'year' ? `${period}-01-01` : `${period}-01`
  if (from > getToday()) throw fieldError('period', 'Cette période n’a pas commencé.')
  return { from, to: addMonths(from, span === 'year' ? 12 : 1) }
}

export const formatReportPeriod = (period: string) =>
  period.length === 4 ? `année ${period}` : formatFrenchMonth(`${period}-01`)

/** The last period that has ended on a day. */
export const getLastCompletePeriod = (span: ReportSpan, day: string) =>
  span === 'year' ? `${Number(day.slice(0, 4)) - 1}` : addMonths(`${day.slice(0, 7)}-01`, -1).slice(0, 7)

type SendRhythm = { month: number | null; day: number }
const padTwo = (value: number) => String(value).padStart(2, '0')

/** The first sending day after `after`. */
export function getNextSendDay({ month, day }: SendRhythm, after: string): string {
  const step = month === null ? 1 : 12
  const first = `${after.slice(0, 4)}-${month === null ? after.slice(5, 7) : padTwo(month)}-${padTwo(day)}`
  return first > after ? first : addMonths(first, step)
}
