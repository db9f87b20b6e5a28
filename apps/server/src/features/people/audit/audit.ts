import type { AuditEntry, AuditQuery } from '@voisol/contract/audit'
import { and, count, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { auditScope } from './scope.ts'

export { type FoundSheet, keptSheets, readSheet } from './heads.ts'
export { FAULTS, verifyAudit } from './verify.ts'

const { seq, actor, label, target, action, detail } = auditEntries
/** The order of the chain is the order of time. */
const SORTS = { at: seq, actor, label, target }

export async function listAudit(db: Db, who: Actor, query: z.output<typeof AuditQuery>) {
  const where = and(
    auditScope(who),
    matches(query.q, [actor, label, target, action]),
    query.operationId ? sql`${detail} ->> 'operationId' = ${query.operationId}` : undefined,
  )
  const { limit, offset } = pageOf(query)
  const [rows, [found]] = await Promise.all([
    db
      .select()
      .from(auditEntries)
      .where(where)
      .orderBy(orderBy(query.sort, SORTS, '-at'))
      .limit(limit)
      .offset(offset),
    db.select({ n: count() }).from(auditEntries).where(where),
  ])
  return { items: rows.map(toEntry), total: found?.n ?? 0 }
}

const toEntry = (row: typeof auditEntries.$inferSelect): AuditEntry => ({
  id: String(row.seq),
  at: row.at.toISOString(),
  actor: row.actor,
  action: row.action,
  label: row.label,
  target: row.target,
  outcome: row.outcome === 'refused' ? 'refused' : 'done',
})
