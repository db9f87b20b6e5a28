import { assembly } from '@voisol/contract/assembly'
import { lots } from '@voisol/contract/lots'
import { parties } from '@voisol/contract/parties'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildSnapshotDraft,
  computeMonthDocuments,
  issueMonthDocuments,
  makeMonthFixture,
  makeSellerWithVat,
  TEST_SECRETS,
  withoutSubscribers,
} from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices } from '../../../db/schema/index.ts'
import { issueDocuments } from '../../billing/invoices/index.ts'
import { postPayment } from '../../payments/payments/index.ts'

const server = useServer()
const OCTOBER = { from: '2025-10-01', to: '2025-11-01' }

/** Two households invoiced for October; the first has paid all but 13 cents. */
async function october() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const world = await makeMonthFixture(server.db, { companyId, members: 2, month: '2025-10' })
  await issueMonthDocuments(server.db, world)
  const [first, second] = world.people.map(({ participant }) => participant)
  const [invoice] = await server.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.buyerId, first?.id ?? '')))
  const pair = { sellerId: world.seller.id, buyerId: first?.id ?? '', clientSellerId: null }
  const amount = (invoice?.gross ?? 0) - 13
  const money = { kind: 'receipt' as const, method: 'transfer' as const, amount, bookedOn: '2025-11-20' }
  await postPayment(
    server.db,
    companyId,
    { ...pair, ...money, accountId: null, source: 'test', references: [] },
    'Camille',
  )
  const auth = { token: admin.token }
  const id = world.operation.id
  const read = (query = OCTOBER) => call(server, assembly.get, { params: { id }, query }, auth)
  return { admin, companyId, auth, world, id, first, second, invoice, read }
}

test('shows payments and open amounts from the documents of the supply period', async () => {
  const { first, second, invoice, read, world } = await october()
  const { body } = await read()
  const of = (id = '') => body.buyers.find((buyer: { id: string }) => buyer.id === id)
  const gross = invoice?.gross ?? 0
  expect(of(first?.id)).toMatchObject({ billed: gross, settled: gross - 13, open: 13, wh: null, saved: null })
  expect(of(second?.id)).toMatchObject({ settled: 0, open: of(second?.id).billed })
  expect(body.totals.billed).toBe(of(first?.id).billed + of(second?.id).billed)
  expect(body.producers).toMatchObject([{ id: world.seller.id, gross: body.totals.billed, fees: 0 }])
  expect(body.earned).toBe(body.totals.billed)
  expect(body.notes).toContainEqual(expect.stringContaining('prix du fournisseur'))
})

test('separates membership fees of a seller without a plant from plant income', async () => {
  const { companyId, world, first, read } = await october()
  const association = await makeSellerWithVat(server.db, { companyId, name: 'Association Soleil' })
  const document = computeMonthDocuments(world.input).find(({ buyer }) => buyer === first?.id)
  if (!document) throw new Error('one document')
  const { snapshot, ...draft } = buildSnapshotDraft(world, document)
  const [energy] = snapshot.lines
  if (!energy) throw new Error('one line')
  const { prm, member, from, to, rule, liable, category, rate } = energy
  const line = { prm, member, from, to, rule, liable, category, rate, label: 'Adhésion', net: 203 }
  const every = { kind: 'fee' as const, every: 'month' as const, amount: 203, kva: null, active: { from, to } }
  const drafts = [
    {
      ...draft,
      snapshot: {
        ...snapshot,
        seller: { ...snapshot.seller, id: association.id, name: association.name },
        lines: [{ ...line, ...every }],
        totals: { ...snapshot.totals, net: 203, tax: 0, gross: 203 },
      },
    },
  ]
  const order = { companyId, operationId: world.operation.id, computationId: null, issuedBy: 'Camille', drafts }
  const before = (await read()).body
  await issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, order)
  const { body } = await read()
  expect(body.totals.billed).toBe(before.totals.billed + 203)
  expect([body.earned, body.producers]).toEqual([before.earned, before.producers])
  expect(body.notes).toContainEqual(expect.stringMatching(/^2,03\s€ TTC d’adhésions et de frais .* Association Soleil/))
})

test('uses only the documents of the month, and refuses an end before the beginning', async () => {
  const { read } = await october()
  expect((await read({ from: '2025-11-01', to: '2025-12-01' })).body.totals).toMatchObject({ billed: 0, open: 0 })
  expect((await read({ from: '2025-11-01', to: '2025-10-01' })).status).toBe(422)
})

test('prints everything in one PDF, with the lots of buyers that spread their charge', async () => {
  const { admin, auth, id, first, read } = await october()
  const terms = { patrimonial: false, monthsPerInvoice: 1 as const, organiserId: null, surplusPrice: 1000, version: 0 }
  await call(server, parties.saveTerms, { params: { id }, body: { ...terms, supplierPrice: 2016 } }, auth)
  const own = [
    { number: 'A1', holder: 'Mme Morel', shares: 137 },
    { number: 'B2', holder: 'M. Aït-Kaci', shares: 211 },
  ]
  const params = { id: first?.id ?? '' }
  await call(server, lots.save, { params, body: { by: 'share', lots: own, version: 0 } }, auth)
  const { body } = await read()
  const charges = await call(server, lots.charges, { params, query: OCTOBER }, auth)
  expect(body.lots).toEqual([charges.body])
  const pdf = await server.app.inject({
    url: `/api/acc-operations/${id}/assembly/file?from=2025-10-01&to=2025-11-01`,
    headers: { authorization: `Bearer ${admin.token}` },
  })
  const text = extractPdfText(new Uint8Array(pdf.rawPayload))
  for (const words of ['Qui a payé, qui a économisé', 'Ce que la toiture a rapporté', 'M. Aït-Kaci', first?.name ?? ''])
    expect(text).toContain(words)
  expect(text).not.toContain('Voisol')
})
