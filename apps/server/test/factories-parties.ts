import type { Db } from '../src/db/client.ts'
import { billingMandates, buyerGroups, invoiceSeries, invoices, sellers, sellerVat } from '../src/db/schema/index.ts'
import { makeOperation } from './factories-operations.ts'
import { makeParticipation, makePoint } from './factories-participants.ts'

type CompanyFields = { companyId: number }
type SellerFields = CompanyFields & { sellerId: string }
const requireRow = <T>(rows: T[]): T => {
  const [row] = rows
  if (!row) throw new Error('nothing was inserted')
  return row
}
let count = 0

/** A participant with a production point in an operation, who may become a seller. */
export async function makeProducer(db: Db, { companyId }: CompanyFields, participantId?: string) {
  const { id: operationId } = await makeOperation(db, { companyId })
  const { id: pointId } = await makePoint(db, { companyId, direction: 'production' })
  const who = participantId ? { participantId } : {}
  const stay = await makeParticipation(db, { companyId, operationId, pointId, ...who })
  return { operationId, pointId, participantId: stay.participantId }
}

export const makeSeller = async (db: Db, more: CompanyFields & Partial<typeof sellers.$inferInsert>) => {
  const place = { address: '7 rue du Puits', postalCode: '69007', city: 'Lyon' }
  const named = { name: `Toiture ${++count}`, prefix: `T${count}-`, ...place }
  return requireRow(
    await db
      .insert(sellers)
      .values({ ...named, ...more })
      .returning(),
  )
}
export const makeSellerVat = async (db: Db, of: SellerFields & Partial<typeof sellerVat.$inferInsert>) =>
  requireRow(
    await db
      .insert(sellerVat)
      .values({ startsOn: '2025-01-01', mode: 'standard', rate: 2000, createdBy: 'test', ...of })
      .returning(),
  )
export const makeBillingMandate = async (db: Db, of: SellerFields & Partial<typeof billingMandates.$inferInsert>) =>
  requireRow(
    await db
      .insert(billingMandates)
      .values({ startsOn: '2025-01-01', signedOn: '2024-12-18', ...of })
      .returning(),
  )
export const makeBuyerGroup = async (db: Db, { companyId }: CompanyFields, name = `Groupe ${++count}`) =>
  requireRow(await db.insert(buyerGroups).values({ companyId, name }).returning())

/** An issued document for tests that only need one to exist: its figures are arbitrary. */
export async function makeIssuedInvoice(db: Db, of: SellerFields & Partial<typeof invoices.$inferInsert>) {
  const { companyId, sellerId } = of
  const issuedOn = of.issuedOn ?? '2026-04-03'
  const operationId = of.operationId ?? (await makeOperation(db, { companyId })).id
  const year = Number(issuedOn.slice(0, 4)) + ++count
  const series = requireRow(
    await db.insert(invoiceSeries).values({ companyId, sellerId, kind: 'invoice', year, prefix: 'X-' }).returning(),
  )
  const number = `X-${year}-00001`
  const figures = { wh: 41_250, net: 512, tax: 102, gross: 614 }
  const chain = { snapshot: {}, hash: 'a', previousHash: '', issuedAt: new Date(), issuedBy: 'test' }
  const days = { issuedOn, dueOn: issuedOn, from: '2026-03-01', to: '2026-04-01' }
  return requireRow(
    await db
      .insert(invoices)
      .values({
        operationId,
        kind: 'invoice',
        seriesId: series.id,
        position: 1,
        number,
        ...figures,
        ...chain,
        ...days,
        ...of,
      })
      .returning(),
  )
}
