import { sql } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'
import { billingMandates, operations, participants, sellers, sellerVat, tariffs } from '../src/db/schema/index.ts'
import type { TestServer } from './client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from './factories-allocations.ts'

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
