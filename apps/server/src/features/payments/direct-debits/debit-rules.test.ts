import { bank } from '@voisol/contract/bank'
import { debits as contract } from '@voisol/contract/debits'
import { mandates } from '@voisol/contract/mandates'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { ANNA_IBAN, makeSalesFixture, type SalesFixture, signAllMandates } from '../../../../test/factories-bank.ts'
import { useServer } from '../../../../test/server.ts'
import { debits } from '../../../db/schema/index.ts'
import { returnDebit } from './index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

async function debited(sales: SalesFixture, day: string) {
  itIs(day)
  const order = { accountId: sales.account.id, except: [] }
  const { body: run } = await call(server, contract.announce, { body: order }, sales.auth)
  const move = async (endpoint: typeof contract.prepare | typeof contract.sent, version: number) =>
    (await call(server, endpoint, { params: { id: run.id }, body: { version } }, sales.auth)).body
  const ready = await move(contract.prepare, run.version)
  await move(contract.sent, ready.version)
  return (await call(server, contract.get, { params: { id: run.id } }, sales.auth)).body
}
const giveBack = (sales: SalesFixture, id: string, on: string) =>
  returnDebit(server.db, sales.companyId, id, { on, by: 'Banque', source: `return:${id}`, code: 'AM04' })

test('announces no third presentation after a second rejection for lack of funds', async () => {
  itIs('2026-06-03')
  const sales = await makeSalesFixture(server, { members: 1 })
  await signAllMandates(server, sales)
  const first = await debited(sales, '2026-06-03')
  await giveBack(sales, first.items[0].id, '2026-06-22')
  const said = async (id: string) =>
    (await call(server, contract.get, { params: { id } }, sales.auth)).body.items[0].returned
  expect(await said(first.id)).toContain('une seconde fois après 10 jours')
  const second = await debited(sales, '2026-06-25')
  await giveBack(sales, second.items[0].id, '2026-07-14')
  expect(await said(second.id)).toContain('Déjà représenté une fois\u00a0: demandez un autre paiement.')
  expect(await said(first.id)).toContain('une seconde fois')
})

test('marks the first debit of a mandate FRST when the bank asks for it, and later ones RCUR', async () => {
  itIs('2026-06-03')
  const sales = await makeSalesFixture(server, { members: 1 })
  await signAllMandates(server, sales)
  const { id, name, bic, ics, version } = sales.account
  const body = { name, bic, ics, painVersion: '08' as const, firstMarked: true, version }
  const { body: account } = await call(server, bank.updateAccount, { params: { id }, body }, sales.auth)
  expect(account.firstMarked).toBe(true)
  const first = await debited(sales, '2026-06-03')
  await giveBack(sales, first.items[0].id, '2026-06-22')
  await debited(sales, '2026-06-25')
  const rows = await server.db
    .select()
    .from(debits)
    .where(eq(debits.companyId, sales.companyId))
    .orderBy(debits.createdAt)
  expect(rows.map(({ sequence }) => sequence)).toEqual(['FRST', 'RCUR'])
  const kept = { name, bic, ics, painVersion: '02' as const, version: account.version }
  const after = await call(server, bank.updateAccount, { params: { id }, body: kept }, sales.auth)
  expect(after.body).toMatchObject({ firstMarked: true, painVersion: '02' })
})

test('stores who was present and what was read when a mandate is signed on the office’s screen', async () => {
  itIs('2026-06-03')
  const sales = await makeSalesFixture(server, { members: 1 })
  const whose = { creditorId: sales.world.seller.id, participantId: sales.world.people[0]?.participant.id ?? '' }
  const { body: shown } = await call(server, mandates.text, { query: whose }, sales.auth)
  const account = { holder: 'Anna Vidal', iban: ANNA_IBAN, bic: '' }
  const sign = (hash: string) =>
    call(server, mandates.sign, { body: { ...whose, ...account, name: 'Anna Vidal', hash } }, sales.auth)
  expect((await sign('0'.repeat(64))).status).toBe(409)
  const { body } = await sign(shown.hash)
  expect(body).toMatchObject({ method: 'screen', state: 'active', proof: { name: 'Anna Vidal', text: shown.text } })
  expect(body.proof.witness).toBeTruthy()
})
