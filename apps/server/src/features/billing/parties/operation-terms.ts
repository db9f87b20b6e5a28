import type { TermsUpdate } from '@voisol/contract/buyers'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { operationBilling, operations, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'

export type OperationTermsRow = typeof operationBilling.$inferSelect

/** How an operation is billed; monthly when nothing was set. */
export async function loadOperationTerms(db: Db, companyId: number, operationId: string): Promise<OperationTermsRow> {
  const [row] = await db
    .select()
    .from(operationBilling)
    .where(and(eq(operationBilling.companyId, companyId), eq(operationBilling.operationId, operationId)))
  return (
    row ?? {
      companyId,
      operationId,
      patrimonial: false,
      monthsPerInvoice: 1,
      organiserId: null,
      supplierPrice: null,
      surplusPrice: null,
      version: 0,
    }
  )
}

/** The organiser of each operation; null when none was set. */
export async function loadOrganisersByOperation(db: Db, companyId: number): Promise<Map<string, string | null>> {
  const rows = await db
    .select({ operationId: operationBilling.operationId, organiserId: operationBilling.organiserId })
    .from(operationBilling)
    .where(eq(operationBilling.companyId, companyId))
  return new Map(rows.map(({ operationId, organiserId }) => [operationId, organiserId]))
}

async function requireSeller(tx: Db, companyId: number, id: string) {
  const [row] = await tx
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), eq(sellers.id, id)))
  if (!row) throw fieldError('organiserId', 'Ce vendeur n’existe pas dans votre organisation.', 'not-found')
}

export async function saveOperationTerms(
  tx: Db,
  actor: Actor,
  operationId: string,
  input: z.output<typeof TermsUpdate>,
) {
  const { companyId } = actor
  const { name } = await requireVisibleOperation(tx, actor, operationId)
  // The row may not exist yet, so the operation is locked instead.
  await tx
    .select({ id: operations.id })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
    .for('no key update')
  const before = await loadOperationTerms(tx, companyId, operationId)
  requireCurrentVersion(before, input)
  if (input.organiserId !== null) await requireSeller(tx, companyId, input.organiserId)
  const values = { ...input, version: before.version + 1 }
  await tx
    .insert(operationBilling)
    .values({ ...values, companyId, operationId })
    .onConflictDoUpdate({ target: [operationBilling.companyId, operationBilling.operationId], set: values })
  return { name, before, after: await loadOperationTerms(tx, companyId, operationId) }
}
