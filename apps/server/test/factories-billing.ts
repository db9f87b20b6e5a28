import { sql } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'
import {
  billingMandates,
  billingMonths,
  billingReviews,
  buyerGroups,
  invoiceSeries,
  invoices,
  operations,
  participants,
  sellers,
  sellerVat,
  supplierBills,
  tariffs,
} from '../src/db/schema/index.ts'
import { type PostPaymentInput, postPayment } from '../src/features/payments/payments/index.ts'
import type { TestServer } from './client.ts'
import {
  makeOperation,
  makeOperationFixture,
  makeParticipant,
  makeParticipation,
  makePoint,
  requestKeyAdoption,
  runAllocation,
} from './factories-energy.ts'

export const TEST_ADDRESS = { address: '12 rue des Lilas', postalCode: '69003', city: 'Lyon' }
let count = 0

/** The holder of a point. */
export async function loadHolderId(db: Db, companyId: number, pointId: string): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select participant_id as id from participations where company_id = ${companyId} and point_id = ${pointId}
     order by starts_on desc limit 1`)
  return rows[0]?.id ?? ''
}

/** The holder of a production point as a seller: with VAT, a mandate, a bank account and invoice numbers. */
export async function makeSellerOfParticipant(server: TestServer, companyId: number, participantId: string) {
  const { db, deps } = server
  const n = ++count
  const id = crypto.randomUUID()
  const iban = deps.secrets.seal('FR7630006000011234567890189', `seller iban ${companyId} ${id}`)
  const about = { name: `Soleil ${n}`, prefix: `V${n}-`, siren: '552081317', vatNumber: 'FR03552081317' }
  const bank = { iban, ibanEnd: '0189' }
  const [seller] = await db
    .insert(sellers)
    .values({ companyId, id, participantId, ...about, ...bank, ...TEST_ADDRESS })
    .returning()
  if (!seller) throw new Error('no seller')
  await db.insert(sellerVat).values({
    companyId,
    sellerId: seller.id,
    startsOn: '2020-01-01',
    mode: 'standard',
    rate: 2000,
    createdBy: 'Camille',
  })
  await db
    .insert(billingMandates)
    .values({ companyId, sellerId: seller.id, startsOn: '2020-01-01', signedOn: '2019-12-11' })
  return seller
}

type TestPriceRule = { id: string; label?: string; price: number; class?: string; producer?: string; buyer?: string }

export async function makeAdoptedTariff(
  db: Db,
  place: { companyId: number; operation: { id: string } },
  rules: TestPriceRule[],
  from = '2025-01-01',
) {
  const { companyId, operation } = place
  const more = { number: ++count, status: 'adopted', adoptedAt: new Date(), adoptedBy: 'Camille' }
  const [row] = await db
    .insert(tariffs)
    .values({ companyId, operationId: operation.id, startsOn: from, rules, ...more })
    .returning()
  if (!row) throw new Error('no tariff')
  return row
}

const createLoadFunction = (a: number, b: number) => (at: number, day: string) =>
  (at * a + Number(day.slice(8)) * b) % 1009

/** Two roofs and three homes at the end of October 2025, with the day of 100 quarters, and everything billing needs. */
export async function makeBillableMonth(
  server: TestServer,
  { from = '2025-10-24', to = '2025-11-01', companyId = 0, tariffFrom = '2025-01-01' } = {},
) {
  const { db } = server
  const here = await makeOperationFixture(server, {
    from,
    to,
    producers: [
      { watts: createLoadFunction(37, 113), label: 'Toiture école', startsOn: from },
      { watts: createLoadFunction(53, 71), label: 'Préau', startsOn: from },
    ],
    consumers: [createLoadFunction(41, 97), createLoadFunction(29, 89), createLoadFunction(61, 83)].map((watts) => ({
      watts,
      startsOn: from,
    })),
    ...(companyId && { companyId }),
  })
  await db.update(participants).set(TEST_ADDRESS).where(sql`${participants.companyId} = ${here.companyId}`)
  await db.update(operations).set({ startsOn: '2025-01-01' }).where(sql`${operations.id} = ${here.operation.id}`)
  await requestKeyAdoption(server, here, { method: 'default' })
  const holders = await Promise.all(here.producers.map(({ id }) => loadHolderId(db, here.companyId, id)))
  const vendors = []
  for (const holder of holders) vendors.push(await makeSellerOfParticipant(server, here.companyId, holder))
  const rules = [
    { id: 'plein', label: 'Heures pleines', price: 1237, class: 'HPB' },
    { id: 'base', label: 'Tarif voisin', price: 1019 },
  ]
  await makeAdoptedTariff(db, here, rules, tariffFrom)
  return { ...here, vendors }
}
export type BillableMonth = Awaited<ReturnType<typeof makeBillableMonth>>

/** The definitive run of the month, with a sign-off. */
export const allocateBillableMonth = (
  server: TestServer,
  here: BillableMonth,
  days = { from: '2025-10-24', to: '2025-11-01' },
  kind = 'definitive',
) => runAllocation(server, here, { ...days, kind })

type CompanyFields = { companyId: number }
type SellerFields = CompanyFields & { sellerId: string }
const requireRow = <T>(rows: T[]): T => {
  const [row] = rows
  if (!row) throw new Error('nothing was inserted')
  return row
}

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

type ReviewInput = { companyId: number; operationId: string; reason: string }

const EMPTY_SUMMARY = {
  delta: { net: 0, tax: 0, gross: 0 },
  creditNotes: 0,
  complements: 0,
  reissued: 0,
  held: { buyers: 0, gross: 0 },
  barred: { buyers: 0, gross: 0 },
  wh: 0,
}

/** A review without a computation, only to be decided. */
export async function makeReview(db: Db, { companyId, operationId, reason }: ReviewInput) {
  const issued = { companyId, operationId, month: '2026-05-01', status: 'issued', closedBy: 'Camille' }
  const [month] = await db
    .insert(billingMonths)
    .values({ ...issued, closedAt: new Date() })
    .returning()
  if (!month) throw new Error('nothing was inserted')
  const about = { companyId, monthId: month.id, causes: ['held'], summary: EMPTY_SUMMARY, state: 'left', reason }
  const [review] = await db
    .insert(billingReviews)
    .values({ ...about, raisedAt: new Date() })
    .returning()
  if (!review) throw new Error('nothing was inserted')
  return review
}

/** A supplier invoice that was checked and found wrong. */
export async function makeSupplierBill(db: Db, { companyId, supplier }: { companyId: number; supplier: string }) {
  const participant = await makeParticipant(db, { companyId })
  const point = await makePoint(db, { companyId })
  const about = { companyId, participantId: participant.id, pointId: point.id, supplier, createdBy: 'Camille' }
  const days = { from: '2026-03-01', to: '2026-04-01', deductedKwh: 91, billedKwh: null }
  const found = { verdict: 'short', expectedWh: 128_413, detail: { sentences: [], parts: [] } }
  const [row] = await db
    .insert(supplierBills)
    .values({ ...about, ...days, ...found })
    .returning()
  if (!row) throw new Error('nothing was inserted')
  return row
}

/** A seller and a buyer, with functions for their documents and payments. */
export async function makeSellerAndBuyer(db: Db, { companyId, userId }: { companyId: number; userId?: string }) {
  const seller = await makeSeller(db, { companyId })
  const email = `acheteur${++count}@exemple.fr`
  const buyer = await makeParticipant(db, { companyId, email, ...(userId && { userId }) })
  const pair = { sellerId: seller.id, buyerId: buyer.id, clientSellerId: null }
  /** Its snapshot contains only names. */
  const document = (gross: number, more: Partial<Parameters<typeof makeIssuedInvoice>[1]> = {}) =>
    makeIssuedInvoice(db, {
      companyId,
      ...pair,
      gross,
      net: gross,
      tax: 0,
      snapshot: {
        seller: { id: seller.id, name: seller.name },
        buyer: { id: buyer.id, name: buyer.name },
        operation: { id: more.operationId ?? '', name: 'Les Lilas' },
      },
      ...more,
    })
  const posting = (amount: number, more: Partial<PostPaymentInput> = {}): PostPaymentInput => ({
    ...pair,
    kind: 'receipt',
    amount,
    method: 'transfer',
    bookedOn: '2026-05-04',
    accountId: null,
    source: `test:${++count}`,
    ...more,
  })
  const pay = (amount: number, more: Partial<PostPaymentInput> = {}) =>
    postPayment(db, companyId, posting(amount, more), 'Camille')
  return { seller, buyer, pair, document, posting, pay }
}
