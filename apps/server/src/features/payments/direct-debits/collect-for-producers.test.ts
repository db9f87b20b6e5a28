import { debits as contract } from '@voisol/contract/debits'
import { mandates as mandateContract } from '@voisol/contract/mandates'
import { parties } from '@voisol/contract/parties'
import { payouts } from '@voisol/contract/payouts'
import { and, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { ANNA_IBAN, makeOwnBankAccount } from '../../../../test/factories-bank.ts'
import { makeBillingMandate, makeIssuedInvoice, makeSeller } from '../../../../test/factories-billing.ts'
import { makeParticipant } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { billingMandates, debits, participants, payments } from '../../../db/schema/index.ts'
import { loadOpenItems } from '../payments/index.ts'
import { collectDebit, returnDebit, undoCollection } from './index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

/** Two roofs whose sellers have no account, an organiser with one, and a buyer of both. */
async function makeVillage() {
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from('2026-06-03'))
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const organiser = await makeSeller(server.db, { companyId, name: 'Les Toits d’Été' })
  const account = await makeOwnBankAccount(server, companyId, { ownerId: organiser.id })
  const buyer = await makeParticipant(server.db, { companyId, email: 'anna@exemple.fr' })
  const roofs = []
  for (const gross of [1_737, 2_903]) {
    const { id: participantId } = await makeParticipant(server.db, { companyId })
    const seller = await makeSeller(server.db, { companyId, participantId })
    const mandate = await makeBillingMandate(server.db, { companyId, sellerId: seller.id, collects: true })
    const about = { companyId, sellerId: seller.id, buyerId: buyer.id, issuedOn: '2026-05-20', dueOn: '2026-06-04' }
    roofs.push({ seller, mandate, invoice: await makeIssuedInvoice(server.db, { ...about, gross }) })
  }
  const [first, second] = roofs
  if (!first || !second) throw new Error('two roofs')
  return { admin, companyId, organiser, account, buyer, first, second }
}
type Village = Awaited<ReturnType<typeof makeVillage>>

const sign = ({ admin, buyer }: Village, creditorId: string) => {
  const about = { participantId: buyer.id, holder: 'Anna Roux', iban: ANNA_IBAN, bic: '', kind: 'recurrent' }
  return call(server, mandateContract.add, { body: { ...about, creditorId, signedOn: '2026-03-18' } }, admin)
}
const plan = async ({ admin, account }: Village) =>
  (await call(server, contract.plan, { query: { accountId: account.id } }, admin)).body
const openOf = async ({ companyId }: Village, sellerId: string) =>
  (await loadOpenItems(server.db, companyId, { sellerId })).reduce((sum, { open }) => sum + open, 0)

async function sentDebit(here: Village) {
  const order = { body: { accountId: here.account.id, except: [] } }
  const { body: run } = await call(server, contract.announce, order, here.admin)
  const move = (endpoint: typeof contract.prepare | typeof contract.sent, version: number) =>
    call(server, endpoint, { params: { id: run.id }, body: { version } }, here.admin)
  const ready = await move(contract.prepare, run.version)
  const file = await call(server, contract.file, { params: { id: run.id } }, here.admin)
  await move(contract.sent, ready.body.version)
  const [debit] = await server.db
    .select()
    .from(debits)
    .where(and(eq(debits.companyId, here.companyId), eq(debits.runId, run.id)))
  if (!debit) throw new Error('one debit')
  return { debit, file: file.text }
}

test('debits the amounts owed to several producers once, under the organiser’s one mandate', async () => {
  const here = await makeVillage()
  const refused = await sign(here, here.first.seller.id)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('encaisse pour')])
  const { body: mandate } = await sign(here, here.organiser.id)
  const found = await plan(here)
  expect(found.items).toHaveLength(1)
  expect(found.items[0]).toMatchObject({ rum: mandate.rum, amount: 4_640 })
  expect(found.items[0].invoices).toHaveLength(2)
  const { file } = await sentDebit(here)
  expect(file).toContain('<CtrlSum>46.40</CtrlSum>')
  expect(file).toContain('FR72ZZZ123456')
})

test('leaves out a producer without a mandate to collect, or whose mandate ended', async () => {
  const here = await makeVillage()
  await sign(here, here.organiser.id)
  await server.db.update(billingMandates).set({ collects: false }).where(eq(billingMandates.id, here.first.mandate.id))
  expect((await plan(here)).total).toBe(2_903)
  await server.db
    .update(billingMandates)
    .set({ collects: true, endsOn: '2026-06-03' })
    .where(eq(billingMandates.id, here.first.mandate.id))
  expect((await plan(here)).total).toBe(2_903)
  // A producer with its own bank account debits for itself.
  await makeOwnBankAccount(server, here.companyId, { ownerId: here.second.seller.id, iban: ANNA_IBAN, name: 'Le sien' })
  expect((await plan(here)).items).toEqual([])
})

test('pays each producer’s documents and payout when collected, and reopens each when returned', async () => {
  const here = await makeVillage()
  await sign(here, here.organiser.id)
  const { debit } = await sentDebit(here)
  const told = { on: '2026-06-19', source: `debit:${debit.id}:l1:1`, by: 'Banque' }
  await collectDebit(server.db, here.companyId, debit.id, told)
  expect([await openOf(here, here.first.seller.id), await openOf(here, here.second.seller.id)]).toEqual([0, 0])
  const { body } = await call(server, payouts.due, {}, here.admin)
  const owed = body.items.map(({ seller, due }: { seller: { id: string }; due: number }) => [seller.id, due])
  expect(Object.fromEntries(owed)).toEqual({ [here.first.seller.id]: 1_737, [here.second.seller.id]: 2_903 })
  await undoCollection(server.db, here.companyId, debit.id, { ...told, source: 'undo:1' })
  expect(await openOf(here, here.second.seller.id)).toBe(2_903)
  await collectDebit(server.db, here.companyId, debit.id, { ...told, source: `debit:${debit.id}:l1:2` })
  await returnDebit(server.db, here.companyId, debit.id, { ...told, source: 'back:1', code: 'AM04' })
  expect([await openOf(here, here.first.seller.id), await openOf(here, here.second.seller.id)]).toEqual([1_737, 2_903])
  const rows = await server.db.select().from(payments).where(eq(payments.companyId, here.companyId))
  expect(rows.map(({ kind }) => kind).sort()).toEqual(
    'receipt receipt receipt receipt return return undo undo'.split(' '),
  )
})

test('names the collector and the producers in the mandate signed in the portal', async () => {
  const here = await makeVillage()
  const user = await makeUser(server.db, { companyId: here.companyId, role: 'client' })
  await server.db.update(participants).set({ userId: user.id }).where(eq(participants.id, here.buyer.id))
  const { body } = await call(server, mandateContract.list, { query: {} }, user)
  expect(body.creditors.map(({ id }: { id: string }) => id)).toEqual([here.organiser.id])
  const query = { creditorId: here.organiser.id, participantId: here.buyer.id }
  const { body: text } = await call(server, mandateContract.text, { query }, user)
  expect(text.text).toContain('pour le compte des producteurs qui l’en ont chargé')
})

test('shows and changes on the seller’s page whether its mandate covers collecting', async () => {
  const here = await makeVillage()
  const { mandate } = here.first
  const dates = { startsOn: mandate.startsOn, endsOn: null, signedOn: mandate.signedOn }
  const put = (body: object) => call(server, parties.updateMandate, { params: { id: mandate.id }, body }, here.admin)
  const kept = await put({ ...dates, version: mandate.version })
  expect(kept.body.mandates[0]).toMatchObject({ collects: true })
  const off = await put({ ...dates, collects: false, version: kept.body.mandates[0].version })
  expect(off.body.mandates[0]).toMatchObject({ collects: false })
})
