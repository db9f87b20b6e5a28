import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoiceSeries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { formatInvoiceNumber, lockInvoiceSequences } from '../../billing/invoices/index.ts'
import { loadSellers } from '../../billing/parties/index.ts'

const loadSequencesOfCompany = (db: Db, companyId: number) =>
  db
    .select()
    .from(invoiceSeries)
    .where(and(eq(invoiceSeries.companyId, companyId), eq(invoiceSeries.kind, 'invoice')))
    .orderBy(asc(invoiceSeries.year))

/** The number series of each seller: existing years, and the current one. */
export async function listInvoiceSequences(db: Db, { companyId }: Actor) {
  const known = await loadSequencesOfCompany(db, companyId)
  const year = Number(getToday().slice(0, 4))
  return (await loadSellers(db, companyId)).flatMap(({ id, name, prefix }) => {
    const own = known.filter(({ sellerId }) => sellerId === id)
    const now = own.some((one) => one.year === year) ? [] : [{ year, prefix, last: 0, before: 0 }]
    return [...own, ...now].map((one) => ({
      seller: { id, name },
      year: one.year,
      prefix: one.prefix,
      last: one.last,
      before: one.before,
      next: formatInvoiceNumber(one, one.last + 1),
      free: one.last === one.before,
    }))
  })
}

/** Sets the last number of a series, as long as it has issued nothing here: a number is never given twice. */
export async function continueInvoiceSequence(
  tx: Db,
  { companyId }: Actor,
  { sellerId, year, last }: { sellerId: string; year: number; last: number },
) {
  const sequence = (await lockInvoiceSequences(tx, companyId, [{ sellerId, kind: 'invoice' }], year)).get(
    `${sellerId} invoice`,
  )
  if (!sequence) throw new AppError('not-found')
  if (sequence.last !== sequence.before)
    throw new AppError('conflict', {
      message: `Cette série a déjà numéroté ${formatInvoiceNumber(sequence, sequence.last)} ici\u00a0: elle ne se déplace plus.`,
    })
  await tx
    .update(invoiceSeries)
    .set({ last, before: last })
    .where(and(eq(invoiceSeries.companyId, companyId), eq(invoiceSeries.id, sequence.id)))
  return { series: sequence, next: formatInvoiceNumber(sequence, last + 1) }
}
