import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../src/db/client.ts'
import { sleep } from '../src/db/embedded-process.ts'
import { flowRules, webhooks } from '../src/db/schema/index.ts'
import { subscribers } from '../src/events/subscribers.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { queryAs } from './database.ts'
import { makeUser } from './factories.ts'
import { getKillCount, scaleByKills } from './killed-server.ts'
import { getNodeArgs } from './process.ts'
import { type SuiteDatabase, startSuiteDatabase } from './suite-database.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-faults-'))
chmodSync(root, 0o755) // as root, PostgreSQL runs under another account that must reach its folder
const started: ChildProcess[] = []
let postgres: SuiteDatabase
let db: ReturnType<typeof openDatabase>
beforeAll(async () => {
  postgres = await startSuiteDatabase(join(root, 'events'))
  db = openDatabase(postgres.url, 4)
  await prepareDatabase(db, postgres)
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await db?.$client.end()
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
})

const KILLS = getKillCount(3)
const COMPANIES = 3
const THINGS = 4
const HOOKS = 2

/** Some companies, each with two administrators, two webhooks and objects to change. */
async function makeWorld(db: Db) {
  await queryAs(
    postgres.ownerUrl,
    `create table storm_things (company_id int, id uuid primary key, user_id uuid, n int default 0);
     create table storm_heard (at bigserial primary key, subscriber text, company_id int, object text, n int)`,
  )
  for (let c = 0; c < COMPANIES; c++) {
    const { companyId, id: userId } = await makeUser(db)
    await makeUser(db, { companyId })
    for (let n = 0; n < THINGS; n++)
      await db.execute(sql`insert into storm_things (company_id, id, user_id)
        values (${companyId}, ${crypto.randomUUID()}, ${userId})`)
    const hooks = []
    for (let n = 0; n < HOOKS; n++) {
      const hook = { companyId, url: 'https://exemple.fr/crochet', events: ['operation.created'], secret: 'sealed' }
      hooks.push(...(await db.insert(webhooks).values(hook).returning()))
    }
    const shape = { companyId, event: 'operation.created', fields: [{ from: 'name', to: 'n' }], createdBy: 'essai' }
    const condition = { field: 'status', is: 'equals', values: ['draft'] }
    const [hook] = hooks
    await db.insert(flowRules).values([
      { ...shape, name: 'Tout', conditions: [condition], destination: 'webhook', destinationId: hook?.id ?? '' },
      { ...shape, name: 'Par e-mail', conditions: [], destination: 'mail', destinationId: userId },
      {
        ...shape,
        name: 'Rien',
        conditions: [{ ...condition, values: ['active'] }],
        destination: 'mail',
        destinationId: userId,
      },
    ])
  }
}

async function launch(writers: number) {
  const dir = join(root, 'data')
  mkdirSync(dir, { recursive: true })
  const args = getNodeArgs(join(import.meta.dirname, 'storm.ts'), postgres.url, dir, String(writers))
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  await once(child.stdout, 'data')
  return child
}
async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
const ask = async <T extends Record<string, unknown>>(query: ReturnType<typeof sql>) =>
  (await db.execute<T>(query)).rows

const NAMES = [...subscribers.map(({ name }) => name), 'storm one', 'storm two']
const behind = () =>
  ask(sql`select h.company_id, s.name from event_heads h cross join unnest(${sql.param(NAMES)}::text[]) s(name)
    left join event_cursors c on c.company_id = h.company_id and c.subscriber = s.name where coalesce(c.seq, 0) < h.seq`)

const happened = async () => (await ask<{ n: number }>(sql`select sum(n)::int as n from storm_things`))[0]?.n ?? 0

/** What each subscriber received about each object, compared with its changes. */
async function expectEachHeardOnce() {
  const things = await ask<{ id: string; n: number }>(sql`select id, n from storm_things`)
  for (const name of ['storm one', 'storm two'])
    for (const { id, n } of things) {
      const heard = await ask<{ n: number }>(
        sql`select n from storm_heard where subscriber = ${name} and object = ${id} order by at`,
      )
      expect(
        heard.map((row) => row.n),
        `${name}, ${id}`,
      ).toEqual(Array.from({ length: n }, (_, at) => at + 1))
    }
}

/** Each rule made one delivery of each matching event, and sent it once. */
async function checkRules(all: number) {
  const rules = await ask(sql`
    select r.name, count(f.id)::int as made, count(distinct (f.company_id, f.seq)) filter (where f.id is not null)::int as events,
           count(*) filter (where f.status = 'sent')::int as sent
      from flow_rules r left join flow_deliveries f on f.company_id = r.company_id and f.rule_id = r.id
     group by r.name order by r.name`)
  const each = { made: all, events: all, sent: all }
  expect(rules).toEqual([
    { name: 'Par e-mail', ...each },
    { name: 'Rien', made: 0, events: 0, sent: 0 },
    { name: 'Tout', ...each },
  ])
  const handed = await ask(sql`
    select count(*)::int as made, count(distinct (company_id, payload ->> 'sequence'))::int as events
      from webhook_deliveries where payload ->> 'rule' = 'Tout'`)
  expect(handed).toEqual([{ made: all, events: all }])
  // Counts of handled events are committed with the cursor: nothing is counted twice.
  const [taken] = await ask<{ n: number }>(sql`
    select sum(taken)::int as n from event_sums where subscriber = 'flows' and event = 'operation.created'`)
  expect(taken?.n).toBe(all)
}

describe('F2: kill -9 in a storm of events', { timeout: scaleByKills(600_000, KILLS) }, () => {
  test(`${KILLS} times, each subscriber has everything, in order and once`, async () => {
    await makeWorld(db)
    for (let n = 0; n < KILLS; n++) {
      const before = await happened()
      const child = await launch(6)
      await waitUntil(async () => (await happened()) > before + 10)
      await sleep(100 + Math.random() * 900)
      await kill(child)
    }
    await launch(0)
    await waitUntil(async () => (await behind()).length === 0)

    const [sum] = await ask<{ happened: number; told: number; heads: number }>(sql`
      select (select sum(n)::int from storm_things) as happened, (select count(*)::int from events) as told,
             (select sum(seq)::int from event_heads) as heads`)
    expect(sum?.happened).toBeGreaterThan(10 * KILLS)
    expect([sum?.told, sum?.heads]).toEqual([2 * (sum?.happened ?? 0), 2 * (sum?.happened ?? 0)])
    await expectEachHeardOnce()

    const deliveries = await ask(sql`
      select count(*)::int as all, count(distinct (webhook_id, payload ->> 'sequence'))::int as different,
             count(distinct (company_id, payload ->> 'sequence'))::int as events
        from webhook_deliveries where payload ->> 'rule' is null`)
    const all = sum?.happened ?? 0
    expect(deliveries).toEqual([{ all: HOOKS * all, different: HOOKS * all, events: all }])
    const notices = await ask(sql`
      select count(*)::int as all, count(distinct (user_id, event_key))::int as different from notifications`)
    expect(notices).toEqual([{ all: 2 * all, different: 2 * all }])
    // A mail, a webhook delivery: each job once as well.
    const [sent] = await ask(sql`
      select count(*) filter (where name = 'mail.send')::int as mails,
             count(distinct data ->> 'deliveryId')::int as deliveries,
             count(*) filter (where name = 'webhooks.deliver')::int as jobs from jobs.job`)
    expect([sent?.jobs, sent?.deliveries]).toEqual([(HOOKS + 1) * all, (HOOKS + 1) * all])
    await checkRules(all)
  })
})
