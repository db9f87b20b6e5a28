import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import {
  buildSnapshotDraft,
  computeMonthDocuments,
  issueMonthDocuments,
  makeComputation,
  makeMonthFixture,
  makeSellerWithVat,
  TEST_SECRETS,
  withoutSubscribers,
} from '../../../../test/factories-invoices.ts'
import { getNodeArgs } from '../../../../test/process.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { openDatabase } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import { type IssueDocumentsInput, issueDocuments, type SnapshotDraft, verifyInvoiceSequences } from './index.ts'

const server = useServer()

const loadIssued = (companyId: number) =>
  server.db.select().from(invoices).where(eq(invoices.companyId, companyId)).orderBy(asc(invoices.number))
const loadVerdicts = async (companyId: number) =>
  (await verifyInvoiceSequences(server.db)).filter((one) => one.companyId === companyId)

const withSeller = (draft: SnapshotDraft, { id, name }: { id: string; name: string }): SnapshotDraft => ({
  ...draft,
  snapshot: { ...draft.snapshot, seller: { ...draft.snapshot.seller, id, name } },
})

const CONNECTIONS = 10

/** Ten at a time, each on its own connection: a call that waits does so for a number, not for a connection. */
async function issueAtOnce(orders: IssueDocumentsInput[]) {
  const db = openDatabase(server.url, CONNECTIONS)
  const waiting = orders.values()
  const results: Awaited<ReturnType<typeof issueDocuments>>[] = []
  const worker = async () => {
    for (const order of waiting) results.push(await issueDocuments(db, TEST_SECRETS, order))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker)).finally(() => db.$client.end())
  return results
}

const SELLERS = 5
const ORDERS = 20

/** Twenty months of two buyers and five sellers: 200 documents, with the sellers in a different order each time. */
async function manyOrders(companyId: number): Promise<IssueDocumentsInput[]> {
  const world = await makeMonthFixture(server.db, { companyId, members: 2 })
  const sellers = await Promise.all(Array.from({ length: SELLERS }, () => makeSellerWithVat(server.db, { companyId })))
  const { id: operationId } = world.operation
  const base = computeMonthDocuments(world.input).map((document) => buildSnapshotDraft(world, document))
  const orders: IssueDocumentsInput[] = []
  for (let n = 0; n < ORDERS; n++) {
    const turned = sellers.map((_, at) => sellers[(at * 2 + n) % SELLERS]).flatMap((one) => one ?? [])
    const { id } = await makeComputation(server.db, { companyId, operationId }, world.input, n + 1)
    const drafts = turned.flatMap((seller) => base.map((draft) => withSeller(draft, seller)))
    orders.push({ companyId, operationId, computationId: id, issuedBy: 'Camille', drafts })
  }
  return orders
}

test('numbers 200 documents issued twice at once without gap, double or broken chain', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const orders = await manyOrders(companyId)
  const results = await issueAtOnce([...orders, ...orders])
  expect(results.reduce((sum, { issued }) => sum + issued, 0)).toBe(200)
  expect(results.reduce((sum, { already }) => sum + already, 0)).toBe(200)
  const rows = await loadIssued(companyId)
  expect(rows).toHaveLength(200)
  for (const own of Map.groupBy(rows, ({ seriesId }) => seriesId).values()) {
    expect(own.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
    expect(own.map(({ number }) => Number(number.slice(-5)))).toEqual(own.map(({ position }) => position))
    expect(own.map(({ issuedOn }) => issuedOn)).toEqual(own.map(({ issuedOn }) => issuedOn).toSorted())
  }
  const verdicts = await loadVerdicts(companyId)
  expect(verdicts.map(({ documents, broken }) => [documents, broken])).toEqual(Array(SELLERS).fill([40, undefined]))
})

test('leaves no gap when the server is killed between the number and the commit', async () => {
  const { id: companyId } = await makeCompany(server.db)
  const world = await makeMonthFixture(server.db, { companyId, members: 2 })
  await issueMonthDocuments(withoutSubscribers(server.db), world)
  const next = { ...world, input: { ...world.input, month: '2026-10' } }
  const { id } = await makeComputation(server.db, { companyId, operationId: world.operation.id }, next.input)
  const drafts = computeMonthDocuments(next.input).map((document) => buildSnapshotDraft(next, document))
  const order = { companyId, operationId: world.operation.id, computationId: id, issuedBy: 'Camille', drafts }
  const script = join(import.meta.dirname, '../../../../test/issue-victim.ts')
  const victim = spawn(process.execPath, getNodeArgs(script, server.url, JSON.stringify(order)))
  const [said] = await once(victim.stdout, 'data')
  expect(String(said)).toContain('issued 2')
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  // The next issue waits until the database notices the dead connection.
  expect((await issueDocuments(withoutSubscribers(server.db), TEST_SECRETS, order)).issued).toBe(2)
  await waitUntil(async () => (await loadIssued(companyId)).length === 4)
  expect((await loadIssued(companyId)).map(({ position }) => position)).toEqual([1, 2, 3, 4])
  expect(await loadVerdicts(companyId)).toMatchObject([{ documents: 4 }])
})
