import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { transaction } from '../../../db/client.ts'
import { auditEntries, auditHeads } from '../../../db/schema/index.ts'
import { type AuditRecord, linkHash } from '../../../http/audit.ts'
import type { Secrets } from '../../../secrets.ts'

export type Fault = 'changed' | 'removed' | 'reordered' | 'cut'
export type Chain = { companyId: number; links: number; head: string; broken?: { seq: number; fault: Fault } }
type Row = typeof auditEntries.$inferSelect

const BATCH = 1000

const recordOf = ({ seq: _, at: __, hash: ___, outcome, detail, ...row }: Row): AuditRecord => ({
  ...row,
  outcome: outcome as AuditRecord['outcome'], // any other word fails the signature
  detail: detail as AuditRecord['detail'], // likewise
})

/** What became of the first link whose signature does not hold. */
const faultOf = (row: Row, before: Row | undefined, after: Row | undefined): Fault =>
  (before && before.at > row.at) || (after && row.at > after.at) ? 'reordered' : 'changed'

async function verifyChain(db: Db, secrets: Secrets, companyId: number): Promise<Chain> {
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.companyId, companyId))
  let hash: Buffer = Buffer.alloc(32)
  let last: Row | undefined
  const chain = (broken?: Chain['broken']): Chain => {
    const links = last?.seq ?? 0
    return { companyId, links, head: hash.toString('hex'), ...(broken && { broken }) }
  }
  for (;;) {
    const seq = last?.seq ?? 0
    const rows = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, companyId), gt(auditEntries.seq, seq)))
      .orderBy(asc(auditEntries.seq))
      .limit(BATCH)
    if (!rows.length) break
    for (const [index, row] of rows.entries()) {
      const expected = (last?.seq ?? 0) + 1
      if (row.seq !== expected) return chain({ seq: expected, fault: 'removed' })
      const signed = linkHash(secrets, hash, row.seq, row.at, recordOf(row))
      if (!signed.equals(row.hash)) return chain({ seq: row.seq, fault: faultOf(row, last, rows[index + 1]) })
      hash = row.hash
      last = row
    }
  }
  const end = last?.seq ?? 0
  if (!head || head.seq > end) return chain({ seq: end + 1, fault: 'cut' })
  if (head.seq < end || !head.hash.equals(hash)) return chain({ seq: head.seq, fault: 'changed' })
  return chain()
}

/** Walks every chain on one snapshot; each names its first broken link, if any. */
export const verifyAudit = (db: Db, secrets: Secrets): Promise<Chain[]> =>
  transaction(db, async (tx) => {
    await tx.$client.query('set transaction isolation level repeatable read read only')
    const { rows } = await tx.$client.query<{ id: number }>(
      'select company_id as id from audit_heads union select company_id from audit_entries order by 1',
    )
    const chains: Chain[] = []
    for (const { id } of rows) chains.push(await verifyChain(tx, secrets, id))
    return chains
  })

export const FAULTS: Record<Fault, string> = {
  changed: 'son contenu a été modifié',
  removed: 'il a été supprimé',
  reordered: 'il a été déplacé',
  cut: 'la fin du journal a été coupée à partir de là',
}
