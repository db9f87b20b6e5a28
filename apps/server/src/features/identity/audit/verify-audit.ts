import { and, asc, eq, gt } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { auditEntries, auditHeads, auditStarts } from '../../../db/schema/index.ts'
import { type AuditRecord, signAuditLinkWithEachKey } from '../../../http/audit.ts'
import type { Secrets } from '../../../secrets.ts'
import type { HeadsSnapshotFile } from './audit-heads.ts'

/** The last entry deleted after its retention period: the chain continues from its hash. */
type ChainStart = { seq: number; hash: Buffer }

/** Signed like the entries, so that entries removed illegally cannot be declared as expired. */
const getStartText = (companyId: number, { seq, hash }: ChainStart) =>
  `start|${companyId}|${seq}|${hash.toString('hex')}`
export const signChainStart = (secrets: Secrets, companyId: number, start: ChainStart) =>
  secrets.sign(getStartText(companyId, start))

async function loadChainStart(db: Db, secrets: Secrets, companyId: number): Promise<ChainStart> {
  const [row] = await db.select().from(auditStarts).where(eq(auditStarts.companyId, companyId))
  const beginning = { seq: 0, hash: Buffer.alloc(32) }
  if (!row || !secrets.signs(getStartText(companyId, row)).some((own) => own.equals(row.seal))) return beginning
  return { seq: row.seq, hash: row.hash }
}

type AuditFaultKind = 'changed' | 'removed' | 'reordered' | 'cut' | 'rewritten'
/** `sheet` is the snapshot stored outside the database that proves the fault, when the database alone does not. */
type BrokenLink = { seq: number; fault: AuditFaultKind; sheet?: string }
type AuditChainResult = { companyId: number; links: number; head: string; broken?: BrokenLink | undefined }
type Row = typeof auditEntries.$inferSelect

const BATCH_SIZE = 1000

const toAuditRecord = ({ seq: _, at: __, hash: ___, outcome, detail, ...row }: Row): AuditRecord => ({
  ...row,
  outcome: outcome as AuditRecord['outcome'], // any other word fails the signature
  detail: detail as AuditRecord['detail'], // likewise
})

/** What happened to the first entry whose signature is wrong. */
const classifyFault = (row: Row, before: Row | undefined, after: Row | undefined): AuditFaultKind =>
  (before && before.at > row.at) || (after && row.at > after.at) ? 'reordered' : 'changed'

/** The length and last hash of a company's chain, as stored outside the database. */
type NotedHead = { seq: number; hash: string; sheet: string }

function listNotedHeads(sheets: HeadsSnapshotFile[], companyId: number): NotedHead[] {
  const signedSnapshots = sheets.filter(({ signed }) => signed)
  return signedSnapshots.flatMap(({ name, sheet }) =>
    (sheet?.heads ?? []).filter((head) => head.companyId === companyId).map((head) => ({ ...head, sheet: name })),
  )
}

const filterBySeq = (noted: NotedHead[], seq: number) => noted.filter((head) => head.seq === seq)

async function* streamEntries(db: Db, companyId: number): AsyncGenerator<{ row: Row; next: Row | undefined }> {
  for (let seq = 0; ; ) {
    const rows = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, companyId), gt(auditEntries.seq, seq)))
      .orderBy(asc(auditEntries.seq))
      .limit(BATCH_SIZE)
    if (!rows.length) return
    for (const [index, row] of rows.entries()) yield { row, next: rows[index + 1] }
    seq = rows.at(-1)?.seq ?? seq
  }
}

/** Compares the end of a valid chain with its head in the database and with the heads stored outside. */
async function findBrokenEnd(
  db: Db,
  companyId: number,
  end: number,
  hash: Buffer,
  noted: NotedHead[],
): Promise<AuditChainResult['broken']> {
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.companyId, companyId))
  const longer = noted.find(({ seq }) => seq > end)
  if (longer) return { seq: end + 1, fault: 'cut', sheet: longer.sheet }
  if (!head || head.seq > end) return { seq: end + 1, fault: 'cut' }
  if (head.seq < end || !head.hash.equals(hash)) return { seq: head.seq, fault: 'changed' }
  return undefined
}

async function verifyChain(db: Db, secrets: Secrets, companyId: number, noted: NotedHead[]): Promise<AuditChainResult> {
  const start = await loadChainStart(db, secrets, companyId)
  let hash = start.hash
  let last: Row | undefined
  let oldest = Number.POSITIVE_INFINITY
  const chain = (broken?: AuditChainResult['broken']): AuditChainResult => {
    const links = last?.seq ?? start.seq
    return { companyId, links, head: hash.toString('hex'), ...(broken && { broken }) }
  }
  for await (const { row, next } of streamEntries(db, companyId)) {
    const expected = (last?.seq ?? start.seq) + 1
    if (row.seq !== expected) return chain({ seq: expected, fault: 'removed' })
    // Keys are rotated in order: an entry cannot be signed with an older key than the entry before it.
    const key = signAuditLinkWithEachKey(secrets, hash, row.seq, row.at, toAuditRecord(row)).findIndex((own) =>
      own.equals(row.hash),
    )
    if (key < 0 || key > oldest) return chain({ seq: row.seq, fault: classifyFault(row, last, next) })
    const other = filterBySeq(noted, row.seq).find((head) => head.hash !== row.hash.toString('hex'))
    if (other) return chain({ seq: row.seq, fault: 'rewritten', sheet: other.sheet })
    hash = row.hash
    last = row
    oldest = key
  }
  return chain(await findBrokenEnd(db, companyId, last?.seq ?? start.seq, hash, noted))
}

/** Verifies the chain of one company on one database snapshot. */
export const verifyCompanyAudit = (
  db: Db,
  secrets: Secrets,
  companyId: number,
  sheets: HeadsSnapshotFile[],
): Promise<AuditChainResult> =>
  transaction(db, async (tx) => {
    await tx.$client.query('set transaction isolation level repeatable read read only')
    return verifyChain(tx, secrets, companyId, listNotedHeads(sheets, companyId))
  })

/**
 * Verifies every chain on one database snapshot, and returns the first broken entry of each. Snapshot files must be
 * read before, so that the entries that they refer to had been committed.
 */
export const verifyAudit = (db: Db, secrets: Secrets, sheets: HeadsSnapshotFile[] = []): Promise<AuditChainResult[]> =>
  transaction(db, async (tx) => {
    await tx.$client.query('set transaction isolation level repeatable read read only')
    const { rows } = await tx.$client.query<{ id: number }>(
      'select company_id as id from audit_heads union select company_id from audit_entries',
    )
    const noted = sheets.flatMap(({ signed, sheet }) => (signed && sheet ? sheet.heads : []))
    const ids = new Set([...rows.map(({ id }) => id), ...noted.map(({ companyId }) => companyId)])
    const chains: AuditChainResult[] = []
    for (const id of [...ids].sort((a, b) => a - b))
      chains.push(await verifyChain(tx, secrets, id, listNotedHeads(sheets, id)))
    return chains
  })

export const AUDIT_FAULT_MESSAGES: Record<AuditFaultKind, string> = {
  changed: 'son contenu a été modifié',
  removed: 'il a été supprimé',
  reordered: 'il a été déplacé',
  cut: 'la fin du journal a été coupée à partir de là',
  rewritten: 'ce n’est plus celui qui avait été noté hors de la base',
}
