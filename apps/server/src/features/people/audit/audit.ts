import type { AuditDetail, AuditEntry, AuditQuery, ListedEntry } from '@voisol/contract/audit'
import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { orderBy, pageOf } from '../../../db/list.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { auditWhere } from './filters.ts'
import { named } from './objects.ts'
import { auditScope } from './scope.ts'

export { type FoundSheet, keptSheets, readSheet } from './heads.ts'
export { signStart } from './start.ts'
export { FAULTS, verifyAudit } from './verify.ts'

const { seq, actor, label, target } = auditEntries
/** The order of the chain is the order of time. */
const SORTS = { at: seq, actor, label, target }
/** Nobody pages through more; a long journal would be counted at each look. */
const COUNTED = 10_001

export async function listAudit(db: Db, who: Actor, query: z.output<typeof AuditQuery>) {
  const where = auditWhere(who, query)
  const { limit, offset } = pageOf(query)
  const further = query.before !== undefined
  const [rows, counted] = await Promise.all([
    db
      .select()
      .from(auditEntries)
      .where(further ? and(where, lt(seq, query.before ?? 0)) : where)
      .orderBy(orderBy(further ? '-at' : query.sort, SORTS, '-at'))
      .limit(limit)
      .offset(further ? 0 : offset),
    db.execute<{ n: number }>(
      sql`select count(*)::int as n from (select 1 from ${auditEntries} where ${where} limit ${COUNTED}) as found`,
    ),
  ])
  const last = rows.length === limit ? rows.at(-1) : undefined
  const items = await named(db, who.companyId, rows.map(toEntry))
  return { items, total: counted.rows[0]?.n ?? 0, next: last ? String(last.seq) : null }
}

type Row = typeof auditEntries.$inferSelect

export const toEntry = (row: Row): AuditEntry => ({
  id: String(row.seq),
  at: row.at.toISOString(),
  actor: row.actor,
  userId: row.userId,
  action: row.action,
  label: row.label,
  target: row.target,
  outcome: row.outcome === 'refused' ? 'refused' : 'done',
})

const Kept = z.record(z.string(), z.unknown()).catch({})

export function toDetail(row: Row): AuditDetail {
  const { byKey, ...detail } = Kept.parse(row.detail)
  const { ip, requestId, hash } = row
  const keyId = typeof byKey === 'string' ? byKey : null
  return { ...toEntry(row), detail, keyId, ip, requestId, hash: hash.toString('hex') }
}

export async function getEntry(db: Db, who: Actor, id: string): Promise<AuditDetail & ListedEntry> {
  const [row] = await db
    .select()
    .from(auditEntries)
    .where(and(auditScope(who), eq(seq, Number(id))))
  const [entry] = row ? await named(db, who.companyId, [toDetail(row)]) : []
  if (!entry) throw new AppError('not-found')
  return entry
}
