import { bank } from '@voisol/contract/bank'
import { books } from '@voisol/contract/books'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  type BankFileEntry,
  buildCamt053,
  insertBankAccount,
  makeSalesFixture,
  type SalesFixture,
} from '../../../../test/factories-bank.ts'
import { useServer } from '../../../../test/server.ts'
import { bankLines } from '../../../db/schema/index.ts'
import { postPayment } from '../payments/index.ts'

const server = useServer()
const PAID = [2_003, 1_511]

/** Two card payments held by the provider, and a bank statement. */
async function makeHeldPayments(entries: BankFileEntry[]) {
  const sales = await makeSalesFixture(server)
  const { companyId, world, account } = sales
  const online = await insertBankAccount(server.db, companyId, world.seller.id, 'online')
  for (const [at, amount] of PAID.entries())
    await postPayment(
      server.db,
      companyId,
      {
        sellerId: world.seller.id,
        buyerId: world.people[at]?.participant.id ?? '',
        clientSellerId: null,
        kind: 'receipt',
        method: 'card',
        amount,
        bookedOn: `2026-06-0${at + 2}`,
        accountId: online.id,
        source: `online:pi_${at}`,
      },
      'Paiement en ligne',
    )
  const upload = buildCamt053({ entries, opening: 500_413 })
  await call(server, bank.import, { params: { id: account.id }, query: { name: 'releve.xml' }, upload }, sales.auth)
  return { ...sales, online }
}
const open = async ({ auth }: SalesFixture) =>
  (await call(server, bank.lines, { query: { state: 'open' } }, auth)).body.items as {
    id: string
    version: number
    proposal: { sentence: string } | null
  }[]
const bankEntries = async ({ world, auth }: SalesFixture) => {
  const query = { month: '2026-06', journal: 'bank', size: 100 }
  const { body } = await call(server, books.entries, { params: { sellerId: world.seller.id }, query }, auth)
  type Line = { account: string; debit: number; credit: number }
  const own = body.items.find(({ id }: { id: string }) => id.startsWith('online-payout:'))
  return own?.lines.map(({ account, debit, credit }: Line) => [account, debit, credit])
}

test('proposes a provider payout with its fee, moves 517 to 512 once accepted, and waits once undone', async () => {
  const own = await makeHeldPayments([
    { amount: 3_447, name: 'STRIPE PAYMENTS EUROPE', text: 'VIREMENT', reference: 'ST1' },
  ])
  const [line] = await open(own)
  expect(line?.proposal?.sentence).toMatch(/2 paiements, 35,14\s€, dont 0,67\s€ de commission/)
  const asked = { params: { id: line?.id ?? '' }, body: { version: line?.version ?? 0 } }
  const { body: taken } = await call(server, bank.accept, asked, own.auth)
  expect(taken).toMatchObject({ state: 'posted', settled: expect.stringContaining('Versement du prestataire') })
  expect(await bankEntries(own)).toEqual([
    ['512000', 3_447, 0],
    ['627000', 67, 0],
    ['517000', 0, 3_514],
  ])
  const undone = await call(server, bank.undo, { ...asked, body: { version: taken.version } }, own.auth)
  expect(undone.body.state).toBe('open')
  const mine = and(eq(bankLines.companyId, own.companyId), eq(bankLines.id, line?.id ?? ''))
  expect((await server.db.select().from(bankLines).where(mine))[0]).toMatchObject({ onlineAccountId: null, charge: 0 })
  expect(await bankEntries(own)).toBeUndefined()
})

test('matches payouts payment by payment, and none when the sum, the fee or the name is wrong', async () => {
  const own = await makeHeldPayments([
    { amount: 1_957, name: 'STRIPE', text: 'VERSEMENT', reference: 'ST1' },
    { amount: 9_999, name: 'STRIPE', text: 'VERSEMENT', reference: 'ST2' },
    { amount: 1_480, name: 'GARNIER', text: 'VERSEMENT', reference: 'ST3' },
    { amount: 2_901, name: 'STRIPE', text: 'VERSEMENT', reference: 'ST4' },
    { amount: 1_480, name: 'STRIPE', text: 'VERSEMENT', reference: 'ST5' },
    { amount: 1_940, name: 'STRIPE', text: 'VERSEMENT', reference: 'ST6' },
  ])
  const told = async () => (await open(own)).flatMap(({ proposal }) => proposal?.sentence ?? [])
  const [first, same] = [/un paiement, 20,03\s€, dont 0,46\s€/, /un paiement, 20,03\s€, dont 0,63\s€/]
  expect((await told()).sort()).toEqual([expect.stringMatching(first), expect.stringMatching(same)])
  const line = (await open(own)).find(({ proposal }) => first.test(proposal?.sentence ?? ''))
  const asked = { params: { id: line?.id ?? '' }, body: { version: line?.version ?? 0 } }
  await call(server, bank.accept, asked, own.auth)
  // A payment is not paid out twice: the other line waits, and the second payment can still be matched.
  expect(await told()).toEqual([expect.stringMatching(/un paiement, 15,11\s€, dont 0,31\s€/)])
})
