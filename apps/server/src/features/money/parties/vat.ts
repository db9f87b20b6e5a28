import type { NewSellerVat } from '@voisol/contract/sellers'
import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { invoices, sellerVat } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { loadSeller } from './seller-view.ts'
import { lockSeller } from './seller-write.ts'
import { findFirstIssuedDocument } from './used.ts'

type AddVatInput = z.output<typeof NewSellerVat>

/** A month takes the VAT mode of its last day, so a new mode must not begin before the end of an invoiced month. */
const findFirstBilledFrom = (tx: Db, { companyId }: Actor, sellerId: string, startsOn: string) =>
  findFirstIssuedDocument(tx, companyId, sellerId, and(ne(invoices.kind, 'statement'), gt(invoices.to, startsOn)))

async function loadLastVatMode(tx: Db, { companyId }: Actor, sellerId: string) {
  const [row] = await tx
    .select()
    .from(sellerVat)
    .where(and(eq(sellerVat.companyId, companyId), eq(sellerVat.sellerId, sellerId)))
    .orderBy(desc(sellerVat.startsOn))
    .limit(1)
  return row
}

export async function addVat(tx: Db, actor: Actor, sellerId: string, mode: AddVatInput) {
  const seller = await lockSeller(tx, actor, sellerId)
  const last = await loadLastVatMode(tx, actor, sellerId)
  if (last && last.startsOn >= mode.startsOn)
    throw fieldError(
      'startsOn',
      `Un régime est déjà enregistré au ${formatFrenchDay(last.startsOn)}\u00a0: le suivant commence après ce jour.`,
      'conflict',
    )
  const issued = await findFirstBilledFrom(tx, actor, sellerId, mode.startsOn)
  if (issued)
    throw fieldError(
      'startsOn',
      `${issued.number} facture déjà un mois qui finit le ${formatFrenchDay(mode.startsOn)} ou après\u00a0: un régime ne change pas ce qui est émis.`,
      'conflict',
    )
  const createdBy = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  await tx.insert(sellerVat).values({ ...mode, companyId: actor.companyId, sellerId: seller.id, createdBy })
  return loadSeller(tx, actor, sellerId)
}

export async function removeVat(tx: Db, actor: Actor, id: string) {
  const where = and(eq(sellerVat.companyId, actor.companyId), eq(sellerVat.id, id))
  const [found] = await tx.select().from(sellerVat).where(where)
  if (!found) throw new AppError('not-found')
  await lockSeller(tx, actor, found.sellerId)
  const last = await loadLastVatMode(tx, actor, found.sellerId)
  if (last?.id !== id)
    throw new AppError('conflict', { message: 'Un autre régime suit celui-ci\u00a0: retirez d’abord le dernier.' })
  const issued = await findFirstBilledFrom(tx, actor, found.sellerId, found.startsOn)
  if (issued)
    throw new AppError('conflict', { message: `${issued.number} a été émise sous ce régime\u00a0: il reste.` })
  await tx.delete(sellerVat).where(where)
  return { before: found, after: await loadSeller(tx, actor, found.sellerId) }
}
