import type { MessageTarget } from '@voisol/contract/messages'
import { fillReply } from '@voisol/contract/support-words'
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, participants } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { participantScope } from '../../energy/participants/participants.ts'

const hasCurrentParticipation = (which: SQL) => sql`exists (select from participations s
  where s.company_id = ${participants}.company_id and s.participant_id = ${participants}.id
    and s.starts_on <= ${getToday()} and (s.ends_on is null or s.ends_on > ${getToday()}) and ${which})`

async function buildTargetCondition(db: Db, actor: Actor, to: MessageTarget): Promise<SQL | undefined> {
  if (to.kind === 'operation') {
    const { id } = await requireVisibleOperation(db, actor, to.operationId)
    return hasCurrentParticipation(sql`s.operation_id = ${id}`)
  }
  if (to.kind === 'group') return sql`${participants.tags} @> ${sql.param([to.tag])}::text[]`
  return eq(participants.id, to.participantId)
}

const currentOperationName = sql<string>`coalesce((select o.name from participations s
  join operations o on o.company_id = s.company_id and o.id = s.operation_id
  where s.company_id = participants.company_id and s.participant_id = participants.id
    and (s.ends_on is null or s.ends_on > current_date) order by s.starts_on desc limit 1), '')`

/** The recipients as of today, within the user's operations; an account counts once its invitation is accepted. */
export async function loadAudience(db: Db, actor: Actor, to: MessageTarget) {
  const rows = await db
    .select({
      id: participants.id,
      name: participants.name,
      firstName: participants.firstName,
      lastName: participants.lastName,
      email: participants.email,
      userId: memberships.userId,
      operation: currentOperationName,
    })
    .from(participants)
    .leftJoin(
      memberships,
      and(
        eq(memberships.companyId, participants.companyId),
        eq(memberships.userId, participants.userId),
        sql`${memberships.acceptedAt} is not null and ${memberships.disabledAt} is null`,
      ),
    )
    .where(and(participantScope(actor), await buildTargetCondition(db, actor, to)))
    .orderBy(asc(participants.name), asc(participants.id))
  if (to.kind === 'person' && !rows.length) throw new AppError('not-found')
  return rows
}
export type MessageReader = Awaited<ReturnType<typeof loadAudience>>[number]

export function requireAudience(readers: MessageReader[]): MessageReader {
  const [first] = readers
  if (!first) throw fieldError('to', 'Personne ne recevrait ce message\u00a0: choisissez d’autres destinataires.')
  return first
}

/** Fills the fields of the text for a recipient; an unknown value becomes empty. */
export function buildTextFiller(actor: Pick<Actor, 'firstName' | 'lastName' | 'email'>, organisation: string) {
  const agent = formatActorName(actor)
  return (text: string, { firstName, lastName, name, operation }: MessageReader) => {
    const values = { prenom: firstName || name, nom: lastName || name, operation, organisation, agent }
    // Unknown fields are removed, so that no placeholder is ever sent.
    return fillReply(text, values).replace(/\{\{[^{}]*\}\}/g, '')
  }
}

export async function loadCompanyName(db: Db, companyId: number): Promise<string> {
  const [row] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId))
  return row?.name ?? ''
}

/** Names of the targets. */
export async function loadParticipantNames(db: Db, companyId: number, ids: string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rows = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
