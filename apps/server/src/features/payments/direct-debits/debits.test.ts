import { debits as contract } from '@voisol/contract/debits'
import { mandates as mandateContract } from '@voisol/contract/mandates'
import { findPainErrors } from '@voisol/documents/sepa-rules'
import { and, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { BRUNO_IBAN, makeSalesFixture, type SalesFixture, signAllMandates } from '../../../../test/factories-bank.ts'
import { waitForMails } from '../../../../test/mails.ts'
import { listRecordedEvents } from '../../../../test/recorded-events.ts'
import { useServer } from '../../../../test/server.ts'
import { debits, mandates } from '../../../db/schema/index.ts'
import { postPayment } from '../payments/index.ts'
import { collectDebit, loadPendingDebitDays, returnDebit } from './index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

/** Announced on Wednesday 3 June: the 14 days of notice end on 17 June. */
async function makeAnnouncedRun(members = 2) {
  itIs('2026-06-03')
  const sales = await makeSalesFixture(server, { members })
  const signed = await signAllMandates(server, sales)
  const { body: run, status } = await call(
    server,
    contract.announce,
    { body: { accountId: sales.account.id, except: [] } },
    sales.auth,
  )
  if (status !== 200) throw new Error(JSON.stringify(run))
  return { ...sales, signed, run }
}
const step = (
  sales: SalesFixture,
  endpoint: typeof contract.prepare | typeof contract.sent | typeof contract.cancel,
  run: { id: string; version: number },
) => call(server, endpoint, { params: { id: run.id }, body: { version: run.version } }, sales.auth)
const toldOf = async ({ companyId }: SalesFixture) =>
  (
    await listRecordedEvents(server.db, companyId, [
      'debits.announced',
      'debits.filed',
      'debits.sent',
      'debits.cancelled',
    ])
  ).map(({ name, data }) => [name, data])
const pay = (sales: SalesFixture, at: number, amount: number) => {
  const invoice = sales.invoices[at]
  const pair = { sellerId: invoice?.sellerId ?? '', buyerId: invoice?.buyerId ?? null, clientSellerId: null }
  const about = {
    kind: 'receipt' as const,
    method: 'transfer' as const,
    bookedOn: '2026-06-05',
    accountId: null,
    source: `manual:${at}`,
  }
  return postPayment(server.db, sales.companyId, { ...pair, ...about, amount }, 'Camille')
}

test('debits open items with a mandate on the first bank day after the notice, and explains the others', async () => {
  itIs('2026-06-03')
  const sales = await makeSalesFixture(server, { members: 3 })
  const [, , third] = await signAllMandates(server, sales)
  await call(
    server,
    mandateContract.revoke,
    { params: { id: third.id }, body: { reason: 'Parti', version: third.version } },
    sales.auth,
  )
  const query = { accountId: sales.account.id }
  const { body: plan } = await call(server, contract.plan, { query }, sales.auth)
  expect(plan).toMatchObject({ collectionOn: '2026-06-18', submitBy: '2026-06-17', earliest: '2026-06-17' })
  expect(plan.items).toHaveLength(2)
  expect(plan.total).toBe((sales.invoices[0]?.gross ?? 0) + (sales.invoices[1]?.gross ?? 0))
  expect(plan.left).toMatchObject([{ number: sales.invoices[2]?.number, reason: 'Pas de mandat actif.' }])
  const at = async (collectionOn: string) =>
    (await call(server, contract.plan, { query: { ...query, collectionOn } }, sales.auth)).body
  expect((await at('2026-06-20')).message).toContain('fermées le 20 juin 2026')
  expect((await at('2026-06-16')).message).toContain('17 juin 2026 est le premier jour')
  // It is due on the 18th, so it is not debited on the 17th.
  expect((await at('2026-06-17')).left.map(({ reason }: { reason: string }) => reason).join()).toContain(
    'Échéance le 18 juin 2026',
  )
})

test('notifies each payer of amount, day, mandate and creditor, and announces nothing twice', async () => {
  const sales = await makeAnnouncedRun()
  const { run, world, signed } = sales
  expect(run).toMatchObject({ state: 'announced', debits: 2, collectionOn: '2026-06-18' })
  expect(run.items.every(({ noticedAt }: { noticedAt: string }) => noticedAt)).toBe(true)
  const [mail] = await waitForMails(server, world.people[0]?.participant.email ?? '')
  expect(mail?.subject).toContain('Prélèvement du 18 juin 2026')
  for (const word of ['FR72ZZZ123456', signed[0].rum, sales.invoices[0]?.number ?? ''])
    expect(mail?.text).toContain(word)
  const again = await call(server, contract.announce, { body: { accountId: sales.account.id, except: [] } }, sales.auth)
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('Rien n’est à prélever')])
  expect([...(await loadPendingDebitDays(server.db, sales.companyId)).values()]).toEqual(['2026-06-18', '2026-06-18'])
})

test('writes the file once, unchanged later, and uses its mandates when sent', async () => {
  const sales = await makeAnnouncedRun()
  const ready = await step(sales, contract.prepare, sales.run)
  expect([ready.status, ready.body.state]).toEqual([200, 'filed'])
  const file = () => call(server, contract.file, { params: { id: sales.run.id } }, sales.auth)
  const [first, second] = [await file(), await file()]
  expect(first.text).toBe(second.text)
  expect(findPainErrors(first.text)).toEqual([])
  expect(first.text).toContain(`<MsgId>${sales.run.messageId}</MsgId>`)
  expect(first.text).toContain('<ReqdColltnDt>2026-06-18</ReqdColltnDt>')
  expect((await step(sales, contract.prepare, ready.body)).status).toBe(409)
  const { body: sent } = await step(sales, contract.sent, ready.body)
  expect(sent).toMatchObject({ state: 'sent', sentOn: '2026-06-03' })
  const [mandate] = await server.db.select().from(mandates).where(eq(mandates.id, sales.signed[0].id))
  expect(mandate).toMatchObject({ firstDebitOn: '2026-06-18', lastDebitOn: '2026-06-18', formerIban: null })
  const late = await step(sales, contract.cancel, sent)
  expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('à la banque')])
  expect((await toldOf(sales)).map(([name]) => name)).toEqual(['debits.announced', 'debits.filed', 'debits.sent'])
})

test('debits nothing that was paid or revoked since the announcement', async () => {
  const sales = await makeAnnouncedRun(3)
  await pay(sales, 0, 217)
  await pay(sales, 1, sales.invoices[1]?.gross ?? 0)
  const [, , third] = sales.signed
  await call(
    server,
    mandateContract.revoke,
    { params: { id: third.id }, body: { reason: 'Non', version: third.version } },
    sales.auth,
  )
  const { body: run } = await step(sales, contract.prepare, sales.run)
  expect(run).toMatchObject({ debits: 1, total: (sales.invoices[0]?.gross ?? 0) - 217 })
  expect(run.items.map(({ state }: { state: string }) => state).sort()).toEqual(['cancelled', 'cancelled', 'planned'])
  // Each event holds the state of its time.
  const { collectionOn, total } = run
  expect((await toldOf(sales)).map(([, data]) => data)).toMatchObject([
    { runId: run.id, debits: 3, collectionOn, accountId: sales.account.id },
    { debits: 1, total },
  ])
})

test('refuses to write a late file, and on cancellation frees the documents and notifies payers', async () => {
  const sales = await makeAnnouncedRun()
  itIs('2026-06-18')
  const late = await step(sales, contract.prepare, sales.run)
  expect([late.status, late.body.message]).toEqual([
    409,
    expect.stringContaining('devait être à la banque le 17 juin 2026'),
  ])
  const { body: gone } = await step(sales, contract.cancel, sales.run)
  expect(gone.state).toBe('cancelled')
  await waitForMails(server, sales.world.people[0]?.participant.email ?? '', 2)
  const { body: plan } = await call(server, contract.plan, { query: { accountId: sales.account.id } }, sales.auth)
  expect(plan.items).toHaveLength(2)
  expect((await toldOf(sales)).map(([name]) => name)).toEqual(['debits.announced', 'debits.cancelled'])
})

test('reports a changed account in the next file only', async () => {
  const sales = await makeAnnouncedRun()
  const [mandate] = sales.signed
  await server.db.update(mandates).set({ lastDebitOn: '2026-05-18' }).where(eq(mandates.id, mandate.id))
  const body = { iban: BRUNO_IBAN, holder: 'Anna', bic: '', version: mandate.version }
  await call(server, mandateContract.account, { params: { id: mandate.id }, body }, sales.auth)
  const { body: ready } = await step(sales, contract.prepare, sales.run)
  const { text } = await call(server, contract.file, { params: { id: sales.run.id } }, sales.auth)
  expect(text.match(/<AmdmntInd>true/g)).toHaveLength(1)
  expect(text).toContain('SMNDA')
  await step(sales, contract.sent, ready)
  const [row] = await server.db.select().from(mandates).where(eq(mandates.id, mandate.id))
  expect(row?.formerIban).toBeNull()
})

test('pays the documents of a collected debit, and reopens exactly those when it returns weeks later', async () => {
  const sales = await makeAnnouncedRun()
  const { body: ready } = await step(sales, contract.prepare, sales.run)
  await step(sales, contract.sent, ready)
  const [row] = await server.db
    .select()
    .from(debits)
    .where(and(eq(debits.runId, sales.run.id), eq(debits.mandateId, sales.signed[0].id)))
  const id = row?.id ?? ''
  const told = { on: '2026-06-18', by: 'Banque', source: `debit:${id}:l:1` }
  await collectDebit(server.db, sales.companyId, id, told)
  const next = async (day: string, collectionOn?: string) => {
    itIs(day)
    return (
      await call(
        server,
        contract.plan,
        { query: { accountId: sales.account.id, ...(collectionOn && { collectionOn }) } },
        sales.auth,
      )
    ).body
  }
  const own = sales.invoices[0]?.number
  expect(JSON.stringify(await next('2026-07-01'))).not.toContain(own)
  await returnDebit(server.db, sales.companyId, id, {
    on: '2026-08-10',
    by: 'Banque',
    source: 'return:1',
    code: 'AM04',
  })
  await returnDebit(server.db, sales.companyId, id, {
    on: '2026-08-10',
    by: 'Banque',
    source: 'return:1',
    code: 'AM04',
  })
  // Announced the same day and collected on the 24th: more than ten days after the return.
  const plan = await next('2026-08-10')
  expect(plan.items).toMatchObject([{ amount: sales.invoices[0]?.gross, retry: true }])
  const { body: shown } = await call(server, contract.get, { params: { id: sales.run.id } }, sales.auth)
  expect(shown).toMatchObject({ returned: sales.invoices[0]?.gross, collected: 0 })
  expect(shown.items[0].returned + shown.items[1].returned).toContain('provision insuffisante')
  const heard = await listRecordedEvents(server.db, sales.companyId, ['debit.returned'])
  const { gross: amount } = sales.invoices[0] ?? {}
  expect(heard.map(({ data }) => data)).toMatchObject([{ debitId: id, code: 'AM04', on: '2026-08-10', amount }])
})

test('stops the mandate when a debit is contested', async () => {
  const sales = await makeAnnouncedRun()
  const { body: ready } = await step(sales, contract.prepare, sales.run)
  await step(sales, contract.sent, ready)
  const [row] = await server.db.select().from(debits).where(eq(debits.mandateId, sales.signed[0].id))
  await returnDebit(server.db, sales.companyId, row?.id ?? '', {
    on: '2026-06-19',
    by: 'Banque',
    source: 'r',
    code: 'MD06',
  })
  const [mandate] = await server.db.select().from(mandates).where(eq(mandates.id, sales.signed[0].id))
  expect(mandate).toMatchObject({ status: 'stopped', statusReason: expect.stringContaining('MD06') })
})
