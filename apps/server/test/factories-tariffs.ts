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
import { call, type Server } from './client.ts'

type Owned = { companyId: number }
type OfOperation = Owned & { operationId: string }
const one = <T>(rows: T[]): T => {
  const [row] = rows
  if (!row) throw new Error('nothing was inserted')
  return row
}
let count = 0

export const makeSeller = async (db: Db, more: Owned & Partial<typeof sellers.$inferInsert>) =>
  one(
    await db
      .insert(sellers)
      .values({ name: `Soleil ${++count}`, prefix: `SOL${count}`, ...more })
      .returning(),
  )

export const makeGroup = async (db: Db, more: Owned & Partial<typeof buyerGroups.$inferInsert>) =>
  one(
    await db
      .insert(buyerGroups)
      .values({ name: `Groupe ${++count}`, ...more })
      .returning(),
  )

/** Puts a participant into a group. */
export const joinGroup = (db: Db, companyId: number, participantId: string, groupId: string) =>
  db.insert(buyers).values({ companyId, participantId, kind: 'person', groupId })

export const makeIndex = async (db: Db, more: Owned & Partial<typeof priceIndexes.$inferInsert>) =>
  one(
    await db
      .insert(priceIndexes)
      .values({ name: `Indice ${++count}`, ...more })
      .returning(),
  )

/** A version as it stands in the database. */
export const makeTariff = async (db: Db, more: OfOperation & Partial<typeof tariffsTable.$inferInsert>) =>
  one(
    await db
      .insert(tariffsTable)
      .values({ number: ++count, status: 'draft', startsOn: '2025-01-01', ...more })
      .returning(),
  )

export const makeFee = async (db: Db, more: OfOperation & Partial<typeof tariffFees.$inferInsert>) => {
  const sellerId = more.sellerId ?? (await makeSeller(db, { companyId: more.companyId })).id
  const values = { label: 'Adhésion', amount: 437, every: 'month', startsOn: '2025-01-01' }
  return one(
    await db
      .insert(tariffFees)
      .values({ ...values, ...more, sellerId })
      .returning(),
  )
}

export const makeDiscount = async (db: Db, more: OfOperation & Partial<typeof tariffDiscounts.$inferInsert>) =>
  one(
    await db
      .insert(tariffDiscounts)
      .values({ label: 'Fidélité', percentBp: 375, position: ++count, startsOn: '2025-01-01', ...more })
      .returning(),
  )

export const closeMonthRow = (db: Db, place: OfOperation, month: string) =>
  db
    .insert(billingMonths)
    .values({ ...place, month: `${month}-01`, status: 'closed', closedAt: new Date(), closedBy: 'Test' })

type Place = { operation: { id: string }; token: string }
type Rule = { price: number; id?: string; [name: string]: unknown }

export const prepareTariff = (
  server: Server,
  { operation, token }: Place,
  { rules, ...draft }: { rules: Rule[]; startsOn?: string; label?: string },
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

export async function adoptTariff(server: Server, place: Place, draft: { rules: Rule[]; startsOn?: string }) {
  const prepared = await prepareTariff(server, place, draft)
  if (prepared.status !== 200) return prepared
  const { id, version } = prepared.body
  return call(server, tariffs.adopt, { params: { id }, body: { version } }, { token: place.token })
}
