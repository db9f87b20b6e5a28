import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { auditEntries, auditHeads } from '../db/schema/index.ts'
import { toCanonicalJson } from '../hash.ts'
import type { Secrets } from '../secrets.ts'

export type AuditRecord = {
  companyId: number
  userId: string | null
  actor: string
  /** `POST /api/users` — the endpoint as the contract names it. */
  action: string
  label: string
  target: string
  outcome: 'done' | 'refused'
  detail: Record<string, unknown>
  requestId: string
  ip: string
}

/** Each link signs the previous one with a key that is not in the database. */
const buildAuditLinkText = (previous: Buffer, seq: number, at: Date, record: AuditRecord) =>
  `${previous.toString('hex')}|${seq}|${at.toISOString()}|${toCanonicalJson(record)}`
export const signAuditLink = (secrets: Secrets, ...link: Parameters<typeof buildAuditLinkText>) =>
  secrets.sign(buildAuditLinkText(...link))
/** The signature by each key, the current one first. */
export const signAuditLinkWithEachKey = (secrets: Secrets, ...link: Parameters<typeof buildAuditLinkText>) =>
  secrets.signs(buildAuditLinkText(...link))

/** Appends one link; the head of the chain stays locked until the caller's transaction ends. */
export async function appendAudit(tx: Db, secrets: Secrets, record: AuditRecord) {
  const empty = Buffer.alloc(32)
  await tx.insert(auditHeads).values({ companyId: record.companyId, seq: 0, hash: empty }).onConflictDoNothing()
  const [head] = await tx
    .select()
    .from(auditHeads)
    .where(sql`${auditHeads.companyId} = ${record.companyId}`)
    .for('update')
  const seq = (head?.seq ?? 0) + 1
  const at = new Date()
  // Only what JSON keeps is signed: undefined members would not come back from the database.
  const clean = JSON.parse(JSON.stringify(record)) as AuditRecord // a JSON round trip of the same shape
  const hash = signAuditLink(secrets, head?.hash ?? empty, seq, at, clean)
  await tx.insert(auditEntries).values({ ...clean, seq, at, hash })
  await tx.update(auditHeads).set({ seq, hash }).where(sql`${auditHeads.companyId} = ${record.companyId}`)
}
