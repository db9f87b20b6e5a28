import type { AuditDetail, AuditEntry, AuditQuery, ListedEntry } from '@voisol/contract/audit'
import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, toLimitOffset } from '../../../db/list-query.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { auditScope, buildAuditCondition } from './audit-filters.ts'
import { addObjectNames } from './object-names.ts'

export { type HeadsSnapshotFile, loadHeadsSnapshots, parseHeadsSnapshot } from './audit-heads.ts'
export { AUDIT_FAULT_MESSAGES, signChainStart, verifyAudit } from './verify-audit.ts'

const { seq, actor, label, target } = auditEntries
/** The order of the chain is the order of time. */
const SORT_COLUMNS = { at: seq, actor, label, target }
/** Nobody reads more pages than this, and counting a long log at each request would be slow. */
const MAX_COUNTED_ENTRIES = 10_001

export async function listAuditEntries(db: Db, who: Actor, query: z.output<typeof AuditQuery>) {
  const where = buildAuditCondition(who, query)
  const { limit, offset } = toLimitOffset(query)
  const further = query.before !== undefined
  const [rows, counted] = await Promise.all([
    db
      .select()
      .from(auditEntries)
      .where(further ? and(where, lt(seq, query.before ?? 0)) : where)
      .orderBy(buildOrderBy(further ? '-at' : query.sort, SORT_COLUMNS, '-at'))
      .limit(limit)
      .offset(further ? 0 : offset),
    db.execute<{ n: number }>(
      sql`select count(*)::int as n from (select 1 from ${auditEntries} where ${where} limit ${MAX_COUNTED_ENTRIES}) as found`,
    ),
  ])
  const last = rows.length === limit ? rows.at(-1) : undefined
  const items = await addObjectNames(db, who.companyId, rows.map(toAuditEntry))
  return { items, total: counted.rows[0]?.n ?? 0, next: last ? String(last.seq) : null }
}

type Row = typeof auditEntries.$inferSelect

const toAuditEntry = (row: Row): AuditEntry => ({
  id: String(row.seq),
  at: row.at.toISOString(),
  actor: row.actor,
  userId: row.userId,
  action: row.action,
  label: row.label,
  target: row.target,
  outcome: row.outcome === 'refused' ? 'refused' : 'done',
})

const StoredDetail = z.record(z.string(), z.unknown()).catch({})

export function toAuditDetail(row: Row): AuditDetail {
  const { byKey, ...detail } = StoredDetail.parse(row.detail)
  const { ip, requestId, hash } = row
  const keyId = typeof byKey === 'string' ? byKey : null
  return { ...toAuditEntry(row), detail, keyId, ip, requestId, hash: hash.toString('hex') }
}

export async function loadAuditEntry(db: Db, who: Actor, id: string): Promise<AuditDetail & ListedEntry> {
  const [row] = await db
    .select()
    .from(auditEntries)
    .where(and(auditScope(who), eq(seq, Number(id))))
  const [entry] = row ? await addObjectNames(db, who.companyId, [toAuditDetail(row)]) : []
  if (!entry) throw new AppError('not-found')
  return entry
}
