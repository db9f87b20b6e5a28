import { books } from '@voisol/contract/books'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { insertBankAccount, postReceipt } from '../../../../test/factories-bank.ts'
import { issueMonthDocuments, makeMonthFixture } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

/** October 2025 issued in November to two households, one of which paid; it is now February 2026. */
async function overYears() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const world = await makeMonthFixture(server.db, { companyId, month: '2025-10' })
  itIs('2025-11-04')
  const { ids } = await issueMonthDocuments(server.db, world)
  const account = await insertBankAccount(server.db, companyId, world.seller.id)
  await postReceipt(server.db, world, { amount: 1_000, bookedOn: '2025-12-03', accountId: account.id })
  itIs('2026-02-09')
  await postReceipt(server.db, world, { amount: 311, bookedOn: '2026-01-12', accountId: account.id, at: 1 })
  return { ids, auth: { token: admin.token }, params: { sellerId: world.seller.id } }
}
type Years = Awaited<ReturnType<typeof overYears>>
const entriesOf = async ({ params, auth }: Years, month: string) =>
  (await call(server, books.entries, { params, query: { month, size: 100 } }, auth)).body.items
const balanceOf = async ({ params, auth }: Years, year: number): Promise<Map<string, number>> => {
  const { body } = await call(server, books.balance, { params, query: { year } }, auth)
  return new Map(body.items.map(({ account, balance }: { account: string; balance: number }) => [account, balance]))
}

test('opens a year with the balances of the one before, also in its lock and its FEC', async () => {
  const world = await overYears()
  const january = await entriesOf(world, '2026-01')
  const opening = january.find(({ journalCode }: { journalCode: string }) => journalCode === 'AN')
  const before = await balanceOf(world, 2025)
  expect(opening).toMatchObject({ day: '2026-01-01', number: null })
  const carried = new Map<string, number>()
  for (const { account, debit, credit } of opening.lines)
    carried.set(account, (carried.get(account) ?? 0) + debit - credit)
  expect(carried.get('512000')).toBe(1_000)
  expect(carried.get('411000')).toBe(before.get('411000'))
  expect(carried.get('120000')).toBe(before.get('701000'))
  const after = await balanceOf(world, 2026)
  expect(after.get('512000')).toBe(1_311)
  // Opening balances count once: the controls count movements only.
  const { body: ties } = await call(server, books.ties, { params: world.params, query: { year: 2026 } }, world.auth)
  expect(ties.items.map(({ difference }: { difference: number }) => difference)).toEqual([0, 0, 0, 0])
  await call(server, books.lock, { params: world.params, body: { month: '2026-01' } }, world.auth)
  const [first] = await entriesOf(world, '2026-01')
  expect(first).toMatchObject({ journalCode: 'AN', number: 1 })
  const fec = await call(server, books.fec, { params: world.params, query: { year: 2026 } }, world.auth)
  const [, line] = fec.text.split(/\r?\n/)
  expect(line).toMatch(/^AN\tÀ-nouveaux\t1\t20260101\t/)
  expect(await balanceOf(world, 2026)).toEqual(after)
})
