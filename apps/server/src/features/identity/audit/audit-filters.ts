import type { AuditExport } from '@voisol/contract/audit'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { matchesSearchWords } from '../../../db/list-query.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

export const auditScope = (actor: Actor) => eq(auditEntries.companyId, actor.companyId)

const { actor, label, target, action, detail, at, userId, outcome } = auditEntries
const getDayStart = (day: string) => new Date(dayStart(day) * 60_000)

/** Filters by actor, action, object, time and outcome, common to the list and its export. */
export function buildAuditCondition(who: Actor, query: Omit<z.output<typeof AuditExport>, 'format'>): SQL | undefined {
  return and(
    auditScope(who),
    matchesSearchWords(query.q, [actor, label, target, action]),
    query.operationId ? sql`${detail} ->> 'operationId' = ${query.operationId}` : undefined,
    query.userId ? eq(userId, query.userId) : undefined,
    query.keyId ? sql`${detail} ->> 'byKey' = ${query.keyId}` : undefined,
    query.target ? eq(target, query.target) : undefined,
    query.action ? eq(action, query.action) : undefined,
    query.outcome ? eq(outcome, query.outcome) : undefined,
    query.from ? gte(at, getDayStart(query.from)) : undefined,
    query.until ? lt(at, getDayStart(addDays(query.until, 1))) : undefined,
  )
}
