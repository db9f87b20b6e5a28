import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { billing } from '@voisol/contract/billing'
import { afterAll, expect, test } from 'vitest'
import { sleep } from '../src/db/embedded-process.ts'
import { createMailCatcher } from '../src/integrations/mail/catcher.ts'
import { type BillingRound, createRetryingCaller, makeBillingRounds } from './billing-rounds.ts'
import { buildEndpointPath } from './client.ts'
import { queryAs } from './database.ts'
import { createLauncher, environmentOf, getKillCount, scaleByKills } from './killed-server.ts'
import { findFreePort } from './process.ts'
import { type SuiteDatabase, startSuiteDatabase } from './suite-database.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-billing-'))
// As root, PostgreSQL runs under another account that must reach its folder.
chmodSync(root, 0o755)
let postgres: SuiteDatabase | undefined
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers) await close()
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
})

const ROUNDS = getKillCount(2)
const LINES = 60
const TEST_TIMEOUT_MS = 240_000
/** Papers, mails and webhooks of every round are at work at once. */
const JOBS_TIMEOUT_MS = TEST_TIMEOUT_MS + ROUNDS * 30_000
/** What the receiver takes to answer. */
const ANSWER_MS = 300
const HOMES = 3
const DOCUMENTS = 6

type Message = { id: string; event: string; companyId: number; data: { operationId?: string } }

/** Somebody outside who is told: keeps what came, and takes its time to say so. */
async function startReceiver() {
  const messages = new Map<string, Message[]>()
  let unanswered = 0
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      messages.set(id, [...(messages.get(id) ?? []), JSON.parse(body)])
      unanswered++
      setTimeout(() => {
        unanswered--
        response.writeHead(200).end()
      }, ANSWER_MS)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  closers.push(() => receiver.close())
  const { port } = receiver.address() as AddressInfo // listening on TCP
  return { messages, port, unanswered: () => unanswered }
}

/** What was acknowledged, kept outside the server. */
type Acknowledged = {
  issued: BillingRound['month'][]
  files: Map<string, { companyId: number; hash: string }>
  told: string[]
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test(`F2: kill -9 ${ROUNDS} times while months are issued, debits filed, people imported and webhooks sent: nothing lost, nothing twice`, {
  timeout: scaleByKills(900_000, ROUNDS),
}, async () => {
  const database = await startSuiteDatabase(join(root, 'billing'))
  postgres = database
  const rows = async <T = Record<string, unknown>>(query: string, values: unknown[] = []) =>
    (await queryAs(database.adminUrl, query, values)).rows as T[]
  const catcher = await createMailCatcher(join(root, 'mail'))
  closers.push(catcher.close)
  const receiver = await startReceiver()
  const port = await findFreePort()
  const env = environmentOf(root, catcher.url, randomBytes(32).toString('base64'), port)
  const rounds = await makeBillingRounds(database, env, { rounds: ROUNDS, receiverPort: receiver.port, lines: LINES })
  const launcher = createLauncher(database.url, env)
  closers.unshift(launcher.killAll)
  const base = `http://127.0.0.1:${port}`
  const counts = { cut: 0 }
  const acknowledged: Acknowledged = { issued: [], files: new Map(), told: [] }
  let isOver = false

  const issueMonth = async ({ month }: BillingRound) => {
    const post = createRetryingCaller(base, month.token, counts)
    const params = { operationId: month.operation.id, month: '2025-10' }
    await post(buildEndpointPath(billing.close, params))
    const { issued } = await post(buildEndpointPath(billing.issue, params))
    expect(issued).toBe(DOCUMENTS)
    acknowledged.issued.push(month)
  }
  const fileDebits = async ({ sales }: BillingRound) => {
    const post = createRetryingCaller(base, sales.admin.token, counts)
    const run = await post('/api/debit-runs', { accountId: sales.account.id, except: [] })
    const filed = await post(`/api/debit-runs/${run.id}/file`, { version: run.version })
    const get = () =>
      fetch(`${base}/api/debit-runs/${run.id}/file`, { headers: { authorization: `Bearer ${sales.admin.token}` } })
    const content = await waitUntil(async () => (await get().catch(() => undefined))?.text().catch(() => undefined))
    acknowledged.files.set(run.id, { companyId: sales.companyId, hash: sha256(content) })
    await post(`/api/debit-runs/${run.id}/sent`, { version: filed.version })
  }
  const importPeople = async ({ importer }: BillingRound) => {
    const query = new URLSearchParams({ name: 'voisins.csv', dryRun: 'false', operationId: importer.operationId })
    const report = await createRetryingCaller(
      base,
      importer.token,
      counts,
    )(`/api/participants/import?${query}`, importer.file)
    expect(report).toMatchObject({ created: LINES, refused: 0 })
  }
  const tellOthers = async ({ importer }: BillingRound) => {
    const post = createRetryingCaller(base, importer.token, counts)
    while (!isOver) {
      const body = {
        name: `Toit ${acknowledged.told.length}`,
        address: '1 rue du Soleil',
        capacity: 36,
        participants: [],
      }
      acknowledged.told.push((await post('/api/acc-operations', body)).id)
      await sleep(20)
    }
  }
  /** What had its twenty seconds without a sign of life. */
  const forgetKilled = () =>
    rows(`update jobs.job set heartbeat_on = heartbeat_on - interval '20 s' where state = 'active'`)

  const work: Promise<unknown>[] = []
  const talk: Promise<unknown>[] = []
  const faults: unknown[] = []
  const heard = (done: Promise<unknown>) => done.catch((error) => faults.push(error))
  for (const round of rounds) {
    const victim = await launcher.start()
    talk.push(heard(tellOthers(round)))
    work.push(...[issueMonth, fileDebits, importPeople].map((step) => heard(step(round))))
    await sleep(50 + Math.random() * 700)
    // A message has come and its sender does not know it yet.
    await waitUntil(() => receiver.unanswered() > 0, TEST_TIMEOUT_MS)
    await launcher.kill(victim)
    await forgetKilled()
  }
  await launcher.start()
  await Promise.all(work)
  isOver = true
  await Promise.all(talk)
  expect(faults, launcher.output()).toEqual([])
  // A kill that met nothing at work would show nothing.
  expect(counts.cut).toBeGreaterThan(0)

  await waitUntil(async () => {
    const [left] = await rows<{ n: number }>(
      `select count(*)::int as n from jobs.job where state in ('created', 'retry', 'active') and name not like '\\_\\_%'
          and (start_after < now() + interval '1 minute')`,
    )
    return left?.n === 0
  }, JOBS_TIMEOUT_MS)

  await checkIssued()
  await checkDebits()
  await checkPeople()
  await checkTold()

  /** Each month is issued once, its numbers follow each other, each document is chained to the one before and has its papers. */
  async function checkIssued() {
    expect(acknowledged.issued).toHaveLength(ROUNDS)
    for (const { companyId } of acknowledged.issued) {
      const documents = await rows<{ follows: boolean; chained: boolean; papers: number }>(
        `select position = row_number() over w as follows,
                coalesce(previous_hash = lag(hash) over w, true) as chained,
                (select count(*)::int from invoice_files f where f.company_id = i.company_id and f.invoice_id = i.id) as papers
           from invoices i where company_id = $1 window w as (partition by series_id order by position)`,
        [companyId],
      )
      expect(documents).toHaveLength(DOCUMENTS)
      expect(documents.filter(({ follows, chained }) => !follows || !chained)).toEqual([])
      expect(new Set(documents.map(({ papers }) => papers)).size).toBe(1)
      expect(documents[0]?.papers).toBeGreaterThan(0)
    }
  }

  /** Each company has one file, which is the one that was downloaded, and each of its invoices is debited once. */
  async function checkDebits() {
    expect(acknowledged.files.size).toBe(ROUNDS)
    for (const [id, { companyId, hash }] of acknowledged.files) {
      const runs = await rows<{ id: string; status: string; sha256: string }>(
        `select r.id, r.status, f.sha256 from debit_runs r
           left join files f on f.company_id = r.company_id and f.id = r.file_id where r.company_id = $1`,
        [companyId],
      )
      expect(runs).toEqual([{ id, status: 'sent', sha256: hash }])
      const debits = await rows<{ n: number; different: number }>(
        `select count(*)::int as n, count(distinct invoice_id)::int as different from debit_invoices where company_id = $1`,
        [companyId],
      )
      expect(debits).toEqual([{ n: HOMES, different: HOMES }])
    }
  }

  async function checkPeople() {
    for (const { importer } of rounds) {
      const people = await rows(
        `select count(*)::int as n, count(distinct name)::int as different,
                (select count(*)::int from participations p where p.company_id = $1) as stays
           from participants where company_id = $1`,
        [importer.companyId],
      )
      expect(people).toEqual([{ n: LINES, different: LINES, stays: LINES }])
    }
  }

  /** Each event has one message; a message that came twice bears the same name, by which its receiver knows it. */
  async function checkTold() {
    const messages = [...receiver.messages.values()]
    const created = messages.flatMap(([first]) =>
      first?.event === 'operation.created' ? [first.data.operationId] : [],
    )
    expect(created.toSorted()).toEqual(acknowledged.told.toSorted())
    expect(messages.filter(([first]) => first?.event === 'month.closed')).toHaveLength(ROUNDS)
    const deliveries = await rows<{ id: string; status: string }>('select id, status from webhook_deliveries')
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([])
    expect(deliveries.map(({ id }) => id).toSorted()).toEqual([...receiver.messages.keys()].toSorted())
    const twice = messages.filter((all) => all.length > 1)
    expect(twice.length).toBeGreaterThan(0)
    for (const all of twice) expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1)
    const names = (await catcher.messages()).map(({ messageId }) => messageId)
    console.log(
      `${ROUNDS} kills, ${counts.cut} calls cut: ${created.length} operations told, ${twice.length} messages sent again under their name, ${names.length} mails, ${names.length - new Set(names).size} again`,
    )
  }
})
