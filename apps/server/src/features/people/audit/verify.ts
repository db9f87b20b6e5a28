import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { transaction } from '../../../db/client.ts'
import { auditEntries, auditHeads } from '../../../db/schema/index.ts'
import { type AuditRecord, linkHashes } from '../../../http/audit.ts'
import type { Secrets } from '../../../secrets.ts'
import type { FoundSheet } from './heads.ts'
import { startOf } from './start.ts'

export type Fault = 'changed' | 'removed' | 'reordered' | 'cut' | 'rewritten'
/** `sheet` is the one kept outside the database that shows it, where the database alone would not. */
type Broken = { seq: number; fault: Fault; sheet?: string }
export type Chain = { companyId: number; links: number; head: string; broken?: Broken | undefined }
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

/** What was noted of a company's chain outside the database: at that length, that last link. */
type Noted = { seq: number; hash: string; sheet: string }

function notedOf(sheets: FoundSheet[], companyId: number): Noted[] {
  const believed = sheets.filter(({ signed }) => signed)
  return believed.flatMap(({ name, sheet }) =>
    (sheet?.heads ?? []).filter((head) => head.companyId === companyId).map((head) => ({ ...head, sheet: name })),
  )
}

const atSeq = (noted: Noted[], seq: number) => noted.filter((head) => head.seq === seq)

async function* entriesOf(db: Db, companyId: number): AsyncGenerator<{ row: Row; next: Row | undefined }> {
  for (let seq = 0; ; ) {
    const rows = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, companyId), gt(auditEntries.seq, seq)))
      .orderBy(asc(auditEntries.seq))
      .limit(BATCH)
    if (!rows.length) return
    for (const [index, row] of rows.entries()) yield { row, next: rows[index + 1] }
    seq = rows.at(-1)?.seq ?? seq
  }
}

/** The end of a chain whose links hold: as its head in the database has it, and as long as any noted outside. */
async function brokenEnd(
  db: Db,
  companyId: number,
  end: number,
  hash: Buffer,
  noted: Noted[],
): Promise<Chain['broken']> {
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.companyId, companyId))
  const longer = noted.find(({ seq }) => seq > end)
  if (longer) return { seq: end + 1, fault: 'cut', sheet: longer.sheet }
  if (!head || head.seq > end) return { seq: end + 1, fault: 'cut' }
  if (head.seq < end || !head.hash.equals(hash)) return { seq: head.seq, fault: 'changed' }
  return undefined
}

async function verifyChain(db: Db, secrets: Secrets, companyId: number, noted: Noted[]): Promise<Chain> {
  const start = await startOf(db, secrets, companyId)
  let hash = start.hash
  let last: Row | undefined
  let oldest = Number.POSITIVE_INFINITY
  const chain = (broken?: Chain['broken']): Chain => {
    const links = last?.seq ?? start.seq
    return { companyId, links, head: hash.toString('hex'), ...(broken && { broken }) }
  }
  for await (const { row, next } of entriesOf(db, companyId)) {
    const expected = (last?.seq ?? start.seq) + 1
    if (row.seq !== expected) return chain({ seq: expected, fault: 'removed' })
    // Of the keys that were in use one after the other, never one from before the last link's.
    const key = linkHashes(secrets, hash, row.seq, row.at, recordOf(row)).findIndex((own) => own.equals(row.hash))
    if (key < 0 || key > oldest) return chain({ seq: row.seq, fault: faultOf(row, last, next) })
    const other = atSeq(noted, row.seq).find((head) => head.hash !== row.hash.toString('hex'))
    if (other) return chain({ seq: row.seq, fault: 'rewritten', sheet: other.sheet })
    hash = row.hash
    last = row
    oldest = key
  }
  return chain(await brokenEnd(db, companyId, last?.seq ?? start.seq, hash, noted))
}

/** The chain of one company, on one snapshot. */
export const verifyCompany = (db: Db, secrets: Secrets, companyId: number, sheets: FoundSheet[]): Promise<Chain> =>
  transaction(db, async (tx) => {
    await tx.$client.query('set transaction isolation level repeatable read read only')
    return verifyChain(tx, secrets, companyId, notedOf(sheets, companyId))
  })

/**
 * Walks every chain on one snapshot; each names its first broken link, if any. Sheets were read before: what they note had
 * been committed by then.
 */
export const verifyAudit = (db: Db, secrets: Secrets, sheets: FoundSheet[] = []): Promise<Chain[]> =>
  transaction(db, async (tx) => {
    await tx.$client.query('set transaction isolation level repeatable read read only')
    const { rows } = await tx.$client.query<{ id: number }>(
      'select company_id as id from audit_heads union select company_id from audit_entries',
    )
    const noted = sheets.flatMap(({ signed, sheet }) => (signed && sheet ? sheet.heads : []))
    const ids = new Set([...rows.map(({ id }) => id), ...noted.map(({ companyId }) => companyId)])
    const chains: Chain[] = []
    for (const id of [...ids].sort((a, b) => a - b))
      chains.push(await verifyChain(tx, secrets, id, notedOf(sheets, id)))
    return chains
  })

export const FAULTS: Record<Fault, string> = {
  changed: 'son contenu a été modifié',
  removed: 'il a été supprimé',
  reordered: 'il a été déplacé',
  cut: 'la fin du journal a été coupée à partir de là',
  rewritten: 'ce n’est plus celui qui avait été noté hors de la base',
}
