import { tariffs } from '@voisol/contract/tariffs'
import type { Db } from '../src/db/client.ts'
import {
  billingMonths,
  buyerGroups,
  buyers,
  priceIndexes,
  sellers,
  tariffDiscounts,
  tariffFees,
  tariffs as tariffsTable,
} from '../src/db/schema/index.ts'
import { call, type TestServer } from './client.ts'

type CompanyFields = { companyId: number }
type OperationFields = CompanyFields & { operationId: string }
const requireRow = <T>(rows: T[]): T => {
  const [row] = rows
  if (!row) throw new Error('nothing was inserted')
  return row
}
let count = 0

export const makeSellerWithoutAddress = async (db: Db, more: CompanyFields & Partial<typeof sellers.$inferInsert>) =>
  requireRow(
    await db
      .insert(sellers)
      .values({ name: `Soleil ${++count}`, prefix: `SOL${count}`, ...more })
      .returning(),
  )

export const makeTariffGroup = async (db: Db, more: CompanyFields & Partial<typeof buyerGroups.$inferInsert>) =>
  requireRow(
    await db
      .insert(buyerGroups)
      .values({ name: `Groupe ${++count}`, ...more })
      .returning(),
  )

/** Adds a participant to a group. */
export const addToBuyerGroup = (db: Db, companyId: number, participantId: string, groupId: string) =>
  db.insert(buyers).values({ companyId, participantId, kind: 'person', groupId })

export const makePriceIndex = async (db: Db, more: CompanyFields & Partial<typeof priceIndexes.$inferInsert>) =>
  requireRow(
    await db
      .insert(priceIndexes)
      .values({ name: `Indice ${++count}`, ...more })
      .returning(),
  )

/** A tariff version inserted into the database. */
export const makeTariff = async (db: Db, more: OperationFields & Partial<typeof tariffsTable.$inferInsert>) =>
  requireRow(
    await db
      .insert(tariffsTable)
      .values({ number: ++count, status: 'draft', startsOn: '2025-01-01', ...more })
      .returning(),
  )

export const makeTariffFee = async (db: Db, more: OperationFields & Partial<typeof tariffFees.$inferInsert>) => {
  const sellerId = more.sellerId ?? (await makeSellerWithoutAddress(db, { companyId: more.companyId })).id
  const values = { label: 'Adhésion', amount: 437, every: 'month', startsOn: '2025-01-01' }
  return requireRow(
    await db
      .insert(tariffFees)
      .values({ ...values, ...more, sellerId })
      .returning(),
  )
}

export const makeTariffDiscount = async (
  db: Db,
  more: OperationFields & Partial<typeof tariffDiscounts.$inferInsert>,
) =>
  requireRow(
    await db
      .insert(tariffDiscounts)
      .values({ label: 'Fidélité', percentBp: 375, position: ++count, startsOn: '2025-01-01', ...more })
      .returning(),
  )

export const insertClosedMonth = (db: Db, place: OperationFields, month: string) =>
  db
    .insert(billingMonths)
    .values({ ...place, month: `${month}-01`, status: 'closed', closedAt: new Date(), closedBy: 'Test' })

type OperationWithToken = { operation: { id: string }; token: string }
type RuleInput = { price: number; id?: string; [name: string]: unknown }

export const requestTariffDraft = (
  server: TestServer,
  { operation, token }: OperationWithToken,
  { rules, ...draft }: { rules: RuleInput[]; startsOn?: string; label?: string },
) =>
  call(
    server,
    tariffs.create,
    {
      params: { id: operation.id },
      body: { startsOn: '2025-01-01', ...draft, rules: rules.map((rule, at) => ({ id: `r${at}`, ...rule })) },
    },
    { token },
  )

export async function requestTariffAdoption(
  server: TestServer,
  place: OperationWithToken,
  draft: { rules: RuleInput[]; startsOn?: string },
) {
  const prepared = await requestTariffDraft(server, place, draft)
  if (prepared.status !== 200) return prepared
  const { id, version } = prepared.body
  return call(server, tariffs.adopt, { params: { id }, body: { version } }, { token: place.token })
}
