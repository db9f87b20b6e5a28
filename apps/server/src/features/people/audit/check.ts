import type { AuditCheck } from '@voisol/contract/audit'
import { AuditFault } from '@voisol/contract/audit'
import { eq } from 'drizzle-orm'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { auditChecks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { keptSheets } from './heads.ts'
import { FAULTS, verifyCompany } from './verify.ts'

const NEVER: AuditCheck = { state: 'never', askedAt: null, finishedAt: null, links: 0, broken: null }

/** Asks for a walk along the company's chain, beside the request: a long journal takes its time. */
export async function askCheck(tx: Db, companyId: number): Promise<void> {
  const asked = { state: 'running', askedAt: new Date(), finishedAt: null }
  await tx
    .insert(auditChecks)
    .values({ companyId, ...asked })
    .onConflictDoUpdate({ target: auditChecks.companyId, set: asked })
  await enqueue(tx, 'audit.verify', { companyId }, { once: String(companyId) })
}

export async function readCheck(db: Db, companyId: number): Promise<AuditCheck> {
  const [row] = await db.select().from(auditChecks).where(eq(auditChecks.companyId, companyId))
  if (!row) return NEVER
  const fault = AuditFault.safeParse(row.fault).data
  const broken = fault && { seq: row.brokenSeq ?? 0, fault, explanation: FAULTS[fault], sheet: row.sheet }
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

/** The walk itself: against what the database holds, and what was noted outside of it day by day. */
export async function runCheck({ db, secrets, files }: Deps, companyId: number): Promise<void> {
  const sheets = await keptSheets(secrets, files)
  const { links, broken } = await verifyCompany(db, secrets, companyId, sheets)
  const found = {
    state: broken ? 'broken' : 'whole',
    finishedAt: new Date(),
    links,
    brokenSeq: broken?.seq ?? null,
    fault: broken?.fault ?? null,
    sheet: broken?.sheet ?? null,
  }
  await transaction(forCompany(db, companyId), (tx) =>
    tx
      .insert(auditChecks)
      .values({ companyId, askedAt: new Date(), ...found })
      .onConflictDoUpdate({ target: auditChecks.companyId, set: found }),
  )
}
