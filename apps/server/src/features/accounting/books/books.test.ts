import { books } from '@voisol/contract/books'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { insertBankAccount, postReceipt } from '../../../../test/factories-bank.ts'
import { issueMonthDocuments, makeMonthFixture, makeSellerWithVat } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { bookEntries, bookLocks, invoices, payouts } from '../../../db/schema/index.ts'
import { postPayment, refundCredit, reversePayment } from '../../payments/payments/index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

/** May, issued on 4 June to three households. */
async function makeSoldMonth() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const world = await makeMonthFixture(server.db, { companyId, members: 3 })
  itIs('2026-06-04')
  await issueMonthDocuments(server.db, world)
  itIs('2026-08-20')
  const account = await insertBankAccount(server.db, companyId, world.seller.id)
  const documents = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .orderBy(invoices.number)
  const params = { sellerId: world.seller.id }
  return { companyId, world, account, documents, params, auth: { token: admin.token } }
}
type Sold = Awaited<ReturnType<typeof makeSoldMonth>>
type Line = { account: string; aux: string; debit: number; credit: number; letter: string }
type Shown = { id: string; number: number | null; day: string; pieceDay: string; journalCode: string; lines: Line[] }
const entriesOf = async ({ params, auth }: Sold, month: string): Promise<Shown[]> =>
  (await call(server, books.entries, { params, query: { month, size: 100 } }, auth)).body.items
const lock = ({ params, auth }: Sold, month: string) => call(server, books.lock, { params, body: { month } }, auth)
const tiesOf = async ({ params, auth }: Sold) =>
  (await call(server, books.ties, { params, query: { year: 2026 } }, auth)).body.items as {
    name: string
    difference: number
    left: { cents: number }
    rows: unknown[]
  }[]
const accounts = ({ lines }: Shown) => lines.map(({ account, debit, credit }) => [account, debit, credit])

test('books a document in sales on its issue day and accrues it at the end of its month', async () => {
  const world = await makeSoldMonth()
  const [first] = world.documents
  const june = await entriesOf(world, '2026-06')
  const sale = june.find(({ id }) => id === `invoice:${first?.id}`)
  expect(sale).toMatchObject({ journalCode: 'VE', day: '2026-06-04', number: null })
  expect(sale && accounts(sale)).toEqual([
    ['411000', first?.gross, 0],
    ['701000', 0, first?.net],
    ['445712000', 0, first?.tax],
  ])
  const may = await entriesOf(world, '2026-05')
  expect(may.map(({ day }) => day)).toEqual(['2026-05-31', '2026-05-31', '2026-05-31'])
  expect(may[0] && accounts(may[0]).map(([account]) => account)).toEqual(['418100', '701000', '445870'])
  expect(june.filter(({ id }) => id.startsWith('accrued-back:'))).toHaveLength(3)
})

test('leaves customer accounts at the open amounts after payments, advances, returns and refunds', async () => {
  const world = await makeSoldMonth()
  const { companyId, account, documents } = world
  const [first, second] = documents
  if (!first || !second) throw new Error('documents')
  const paid = await postReceipt(server.db, world.world, {
    amount: first.gross + 1_307,
    bookedOn: '2026-06-20',
    accountId: account.id,
  })
  const [receipt] = (await entriesOf(world, '2026-06')).filter(({ id }) => id === `payment:${paid.id}`)
  expect(receipt && accounts(receipt)).toEqual([
    ['512000', first.gross + 1_307, 0],
    ['411000', 0, first.gross],
    ['419100', 0, 1_307],
  ])
  const pair = { sellerId: first.sellerId, buyerId: first.buyerId, clientSellerId: null }
  const order = { amount: 307, bookedOn: '2026-06-25', accountId: account.id, method: 'transfer' as const }
  await refundCredit(
    server.db,
    companyId,
    { pair, of: { creditPaymentId: paid.id }, source: 'manual:r', ...order },
    'Camille',
  )
  const other = await postReceipt(server.db, world.world, {
    at: 1,
    amount: second.gross,
    bookedOn: '2026-06-21',
    accountId: account.id,
  })
  const back = { paymentId: other.id, kind: 'return' as const, bookedOn: '2026-07-03', source: 'manual:b' }
  await reversePayment(server.db, companyId, back, 'Camille')
  const ties = await tiesOf(world)
  expect(ties.map(({ name, difference }) => [name, difference])).toEqual([
    ['vat', 0],
    ['clients', 0],
    ['statements', 0],
    ['bank', 0],
  ])
  const open = documents.reduce((sum, { gross }) => sum + gross, 0) - first.gross - 1_000
  expect(ties[1]?.left.cents).toBe(open)
  const july = await entriesOf(world, '2026-07')
  expect(july.map(accounts)).toEqual([
    [
      ['512000', 0, second.gross],
      ['411000', second.gross, 0],
    ],
  ])
})

test('books an advance that pays the next invoice as its own entry, and letters everything', async () => {
  const world = await makeSoldMonth()
  const [first] = world.documents
  if (!first) throw new Error('documents')
  await postReceipt(server.db, world.world, {
    amount: 2 * first.gross,
    bookedOn: '2026-06-20',
    accountId: world.account.id,
  })
  itIs('2026-08-05')
  const again = { ...world.world, input: { ...world.world.input, month: '2026-07' } }
  await issueMonthDocuments(server.db, again)
  // Any later posting uses the waiting advance.
  const whose = { sellerId: first.sellerId, buyerId: first.buyerId, clientSellerId: null }
  const tiny = {
    kind: 'receipt' as const,
    amount: 1,
    method: 'transfer' as const,
    bookedOn: '2026-08-06',
    source: 'manual:t',
  }
  await postPayment(server.db, world.companyId, { ...whose, ...tiny, accountId: world.account.id }, 'Camille')
  itIs('2026-08-20')
  const august = await entriesOf(world, '2026-08')
  const used = august.find(({ id }) => id.startsWith('match:'))
  expect(used && accounts(used)).toEqual([
    ['419100', first.gross, 0],
    ['411000', 0, first.gross],
  ])
  const lines = [...(await entriesOf(world, '2026-06')), ...august]
    .flatMap((entry) => entry.lines)
    .filter(({ account, aux }) => ['411000', '419100'].includes(account) && aux === used?.lines[0]?.aux)
  const lettered = lines.filter(({ letter }) => letter !== '')
  expect(lettered.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBe(0)
  expect(lettered.length).toBeGreaterThanOrEqual(6)
  expect((await tiesOf(world))[1]?.difference).toBe(0)
})

test('books money collected for a producer on account 467 in both books', async () => {
  const world = await makeSoldMonth()
  const organiser = await makeSellerWithVat(server.db, { companyId: world.companyId, name: 'Association' })
  const theirs = await insertBankAccount(server.db, world.companyId, organiser.id)
  await postReceipt(server.db, world.world, { amount: 731, bookedOn: '2026-06-20', accountId: theirs.id })
  const own = (await entriesOf(world, '2026-06')).find(({ id }) => id.startsWith('payment:'))
  expect([own?.journalCode, own && accounts(own)]).toEqual([
    'OD',
    [
      ['467000', 731, 0],
      ['411000', 0, 731],
    ],
  ])
  const held = await entriesOf({ ...world, params: { sellerId: organiser.id } }, '2026-06')
  const paid = {
    sellerId: world.world.seller.id,
    accountId: theirs.id,
    amount: 700,
    status: 'paid',
    paidOn: '2026-06-30',
  }
  await server.db
    .insert(payouts)
    .values({ companyId: world.companyId, ...paid, endToEndId: 'REV-1', createdBy: 'Camille' })
  const out = await entriesOf({ ...world, params: { sellerId: organiser.id } }, '2026-06')
  expect(out.flatMap(accounts).filter(([account]) => account === '467000')).toEqual([
    ['467000', 0, 731],
    ['467000', 700, 0],
  ])
  const got = (await entriesOf(world, '2026-06')).find(({ id }) => id.startsWith('payout-in:'))
  expect(got && accounts(got)).toEqual([
    ['512000', 700, 0],
    ['467000', 0, 700],
  ])
  expect(held.map((entry) => [entry.journalCode, accounts(entry)])).toEqual([
    [
      'BQ',
      [
        ['512000', 731, 0],
        ['467000', 0, 731],
      ],
    ],
  ])
})

test('adds nothing to a locked month: numbers continue and late facts go to the next month', async () => {
  const world = await makeSoldMonth()
  const early = await lock(world, '2026-08')
  expect([early.status, early.body.message]).toEqual([409, expect.stringContaining('pas fini')])
  const done = await lock(world, '2026-06')
  expect(done.body).toEqual({ months: ['2026-05-01', '2026-06-01'], entries: 9, already: false })
  expect((await lock(world, '2026-06')).body).toEqual({ months: [], entries: 0, already: true })
  const [first] = world.documents
  const late = await postReceipt(server.db, world.world, {
    amount: first?.gross ?? 0,
    bookedOn: '2026-06-20',
    accountId: world.account.id,
  })
  const june = await entriesOf(world, '2026-06')
  expect(june.map(({ journalCode, number }) => `${journalCode} ${number}`).sort()).toEqual([
    'OD 4',
    'OD 5',
    'OD 6',
    'VE 1',
    'VE 2',
    'VE 3',
  ])
  const [moved] = await entriesOf(world, '2026-07')
  expect(moved).toMatchObject({ id: `payment:${late.id}`, day: '2026-07-01', pieceDay: '2026-06-20' })
  expect((await tiesOf(world)).map(({ difference }) => difference)).toEqual([0, 0, 0, 0])
})

test('lets one of two simultaneous locks of a month work and tells the other it is done', async () => {
  const world = await makeSoldMonth()
  const answers = await Promise.all([lock(world, '2026-06'), lock(world, '2026-06')])
  expect(answers.map(({ body }) => body.already).sort()).toEqual([false, true])
  const kept = await server.db.select().from(bookEntries).where(eq(bookEntries.companyId, world.companyId))
  expect(kept).toHaveLength(9)
  const locks = await server.db
    .select()
    .from(bookLocks)
    .where(eq(bookLocks.companyId, world.companyId))
    .orderBy(bookLocks.month)
  expect(locks.map(({ previousHash }) => previousHash)).toEqual(['', locks[0]?.hash])
})

test.each(['update book_entries set label = label', 'delete from book_lines', 'delete from book_locks'])(
  'refuses the application role: %s',
  async (statement) => {
    await expect(server.db.execute(statement)).rejects.toMatchObject({ cause: { code: '42501' } })
  },
)
