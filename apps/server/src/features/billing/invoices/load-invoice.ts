import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

/** The company's documents within the actor's operations; in the portal, those invoiced to the user. */
export const invoiceScope = (actor: Actor): SQL | undefined =>
  and(
    eq(invoices.companyId, actor.companyId),
    actor.space === 'office'
      ? withinOperationLimit(actor, invoices.operationId)
      : sql`${invoices.buyerId} in ${participantIdsOfUser(actor)}`,
  )

export type InvoiceRecord = Omit<typeof invoices.$inferSelect, 'snapshot'> & { snapshot: InvoiceSnapshot }

export const toInvoiceRecord = (row: typeof invoices.$inferSelect): InvoiceRecord => ({
  ...row,
  snapshot: InvoiceSnapshot.parse(row.snapshot),
})

export async function loadInvoice(db: Db, actor: Actor, id: string): Promise<InvoiceRecord> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.id, id)))
  if (!row) throw new AppError('not-found')
  return toInvoiceRecord(row)
}

/** The company's last issued invoice, to preview its documents and messages. */
export async function findLastInvoice(
  db: Db,
  companyId: number,
  { debited = false } = {},
): Promise<InvoiceRecord | undefined> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, companyId),
        eq(invoices.kind, 'invoice'),
        debited ? sql`${invoices.snapshot}->'debit' is not null` : undefined,
      ),
    )
    .orderBy(desc(invoices.issuedAt), desc(invoices.id))
    .limit(1)
  return row && toInvoiceRecord(row)
}

/** Without an access check, for jobs, which have no actor. */
export async function findInvoiceById(db: Db, companyId: number, id: string): Promise<InvoiceRecord | undefined> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.id, id)))
  return row && toInvoiceRecord(row)
}
