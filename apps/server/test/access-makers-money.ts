import { transaction } from '../src/db/client.ts'
import { invoiceFiles } from '../src/db/schema/index.ts'
import type { Make, Owner, Params } from './access-makers.ts'
import { bankMakers } from './access-makers-bank.ts'
import type { Server } from './client.ts'
import { makeReview } from './factories-corrections.ts'
import { issueMonth, makeMonth } from './factories-invoices.ts'
import { makeParticipant } from './factories-participants.ts'
import { makeBuyerGroup, makeMandate, makeSeller, makeVat } from './factories-parties.ts'
import { makeDiscount, makeFee, makeIndex, makeTariff } from './factories-tariffs.ts'

type Tools = {
  file: (server: Server, companyId: number) => Promise<string>
  operationOf: (server: Server, owner: Owner) => Promise<string>
  secret: string
}

/** What belongs to somebody in the wing of money, by the path that names it. */
export function moneyMakers({ file, operationOf, secret: SECRET }: Tools): [RegExp, Make][] {
  const seller: Make = async ({ db }, { companyId }) => ({ id: (await makeSeller(db, { companyId, name: SECRET })).id })

  const mandate: Make = async (server, { companyId }) => {
    const { id: sellerId } = await makeSeller(server.db, { companyId, name: SECRET })
    return { id: (await makeMandate(server.db, { companyId, sellerId, fileId: await file(server, companyId) })).id }
  }

  const vat: Make = async ({ db }, { companyId }) => {
    const { id: sellerId } = await makeSeller(db, { companyId, name: SECRET })
    return { id: (await makeVat(db, { companyId, sellerId })).id }
  }

  type OfOperation = { companyId: number; operationId: string; label: string }
  const priced =
    (make: (db: Server['db'], values: OfOperation) => Promise<{ id: string }>): Make =>
    async (server, owner) => {
      const { companyId } = owner
      const operationId = await operationOf(server, owner)
      return { id: (await make(server.db, { companyId, operationId, label: SECRET })).id }
    }
  /** Its file is there already: nothing is made beside the call that is looked at. */
  const invoice: Make = async (server, { companyId }) => {
    const world = await makeMonth(server.db, { companyId, members: 1 })
    const fileId = await file(server, companyId)
    return transaction(server.db, async (tx) => {
      const { ids } = await issueMonth(tx, world)
      await tx.insert(invoiceFiles).values({ companyId, invoiceId: ids[0] ?? '', kind: 'pdf', fileId })
      return { id: ids[0], line: 0 }
    })
  }

  const statementParams = ({ id }: Params): Params => ({ sellerId: id, month: '2026-05', year: 2026 })

  const review: Make = async (server, owner) => {
    const { companyId } = owner
    const operationId = await operationOf(server, owner)
    return { id: (await makeReview(server.db, { companyId, operationId, reason: SECRET })).id }
  }

  return [
    [/^\/api\/sellers\/:id/, seller],
    [/^\/api\/billing-mandates\/:id/, mandate],
    [/^\/api\/seller-vat\/:id/, vat],
    [/^\/api\/buyer-groups\/:id/, async ({ db }, owner) => ({ id: (await makeBuyerGroup(db, owner)).id })],
    [
      /^\/api\/buyers\/:id/,
      async ({ db }, { companyId }) => ({ id: (await makeParticipant(db, { companyId, name: SECRET })).id }),
    ],
    [/^\/api\/statements\/:sellerId/, async (server, owner) => statementParams(await seller(server, owner))],
    [/^\/api\/corrections\/:id/, review],
    [
      /^\/api\/billing\/months\/:operationId/,
      async (server, owner) => ({ operationId: await operationOf(server, owner), month: '2025-10' }),
    ],
    [/^\/api\/tariffs\/:id/, priced(makeTariff)],
    [/^\/api\/tariff-fees\/:id/, priced(makeFee)],
    [/^\/api\/tariff-discounts\/:id/, priced(makeDiscount)],
    [
      /^\/api\/price-indexes\/:id/,
      async ({ db }, { companyId }) => ({ id: (await makeIndex(db, { companyId, source: SECRET })).id }),
    ],
    [/^\/api\/invoices\/:id/, invoice],
    ...bankMakers({ file, secret: SECRET }),
  ]
}
