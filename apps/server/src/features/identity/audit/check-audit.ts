import { type AuditCheck, AuditFault } from '@voisol/contract/audit'
import { asc, eq, gt } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { auditChecks, auditHeads } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { loadHeadsSnapshots, takeHeadsSnapshot } from './audit-heads.ts'
import { AUDIT_FAULT_MESSAGES, verifyCompanyAudit } from './verify-audit.ts'

/**
 * Sends each company its own chain head once a day: a copy kept elsewhere proves a removal of the last entries. No
 * audit entry is written, since it would change the head.
 */
export async function recordAuditHeads(db: Db, secrets: Secrets, day: string): Promise<void> {
  const companiesWithHead = await db
    .select({ companyId: auditHeads.companyId })
    .from(auditHeads)
    .where(gt(auditHeads.companyId, 0))
    .orderBy(asc(auditHeads.companyId))
  for (const { companyId } of companiesWithHead)
    await transaction(scopeToCompany(db, companyId), async (tx) => {
      const data = await takeHeadsSnapshot(tx, secrets, day, companyId)
      if (data.heads.length)
        await recordEvent(tx, { companyId, name: 'audit.head-noted', object: String(companyId), data, once: day })
    })
}

const NEVER_CHECKED: AuditCheck = { state: 'never', askedAt: null, finishedAt: null, links: 0, broken: null }

/** Verifies the chain of the company in a background job, since a long log takes time. */
export async function requestAuditCheck(tx: Db, companyId: number): Promise<void> {
  const checkRequest = { state: 'running', askedAt: new Date(), finishedAt: null }
  await tx
    .insert(auditChecks)
    .values({ companyId, ...checkRequest })
    .onConflictDoUpdate({ target: auditChecks.companyId, set: checkRequest })
  await enqueue(tx, 'audit.verify', { companyId }, { once: String(companyId) })
}

export async function loadAuditCheck(db: Db, companyId: number): Promise<AuditCheck> {
  const [row] = await db.select().from(auditChecks).where(eq(auditChecks.companyId, companyId))
  if (!row) return NEVER_CHECKED
  const fault = AuditFault.safeParse(row.fault).data
  const broken = fault && { seq: row.brokenSeq ?? 0, fault, explanation: AUDIT_FAULT_MESSAGES[fault], sheet: row.sheet }
  const { links } = row
  const state = row.state as AuditCheck['state'] // written by this module alone
  return {
    state,
    askedAt: row.askedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    links,
    broken: state === 'broken' ? (broken ?? null) : null,
  }
}

/** Verifies the chain against the database and against the chain heads stored outside of it each day. */
export async function runAuditCheck({ db, secrets, files }: Deps, companyId: number): Promise<void> {
  const sheets = await loadHeadsSnapshots(secrets, files)
  const { links, broken } = await verifyCompanyAudit(db, secrets, companyId, sheets)
  const result = {
    state: broken ? 'broken' : 'whole',
    finishedAt: new Date(),
    links,
    brokenSeq: broken?.seq ?? null,
    fault: broken?.fault ?? null,
    sheet: broken?.sheet ?? null,
  }
  await transaction(scopeToCompany(db, companyId), (tx) =>
    tx
      .insert(auditChecks)
      .values({ companyId, askedAt: new Date(), ...result })
      .onConflictDoUpdate({ target: auditChecks.companyId, set: result }),
  )
}
