import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auth } from '@voisol/contract/auth'
import { participants } from '@voisol/contract/participants'
import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { type Db, openDatabase, transaction } from '../src/db/client.ts'
import { loadCurrentRole } from '../src/db/grants.ts'
import { applyMigrations, migrateDatabase } from '../src/db/migrate.ts'
import { spreadOf } from '../src/db/schema/directory.ts'
import { auditEntries, auditStarts } from '../src/db/schema/index.ts'
import { appendAudit } from '../src/http/audit.ts'
import { call } from './client.ts'
import { loadShardPlacement, makeAdminsOnTwoMachines, queryCluster, withMachineDown } from './cluster.ts'
import { makeUser, PASSWORD } from './factories.ts'
import { useServer } from './server.ts'
import { waitUntil } from './wait.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>

const asAdmin = (text: string, values?: unknown[]) => queryCluster(server, text, values)

const TYPES = { 'by-company': 'distributed', everywhere: 'reference' }

test('each table is stored as its kind requires', async () => {
  const { rows } = await asAdmin(`select c.relname as name, t.citus_table_type as type from pg_class c
    left join citus_tables t on t.table_name = c.oid where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not like 'citus%'`)
  const wrong = rows.filter(({ name, type }) => {
    const spread = spreadOf(name)
    return spread === 'first' ? type !== null && type !== 'local' : type !== TYPES[spread]
  })
  expect(rows.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

test('an interrupted start is completed by the next', async () => {
  const keys = async () => (await asAdmin("select count(*)::int as n from pg_constraint where contype = 'f'")).rows[0].n
  const before = await keys()
  const [table, key] = ['points', 'points_company_id_companies_id_fk']
  await server.asOwner(`create table drizzle.kept_keys (relation text, name text, definition text);
    insert into drizzle.kept_keys select '${table}', conname, pg_get_constraintdef(oid) from pg_constraint
     where conname = '${key}' and conrelid = '${table}'::regclass`)
  await server.asOwner(`alter table ${table} drop constraint ${key}`)
  expect(await keys()).toBeLessThan(before)
  const owner = openDatabase(server.ownerUrl, 2)
  await migrateDatabase(owner, await loadCurrentRole(server.db)).finally(() => owner.$client.end())
  expect(await keys()).toBe(before)
})

test('a table of a later migration is distributed before its foreign keys are added', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-migration-'))
  mkdirSync(join(folder, 'meta'))
  const entry = { idx: 0, version: '7', when: 1999999999999, tag: '0000_later', breakpoints: true }
  writeFileSync(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] }),
  )
  const make =
    'create table "later" (company_id int not null, id uuid not null, operation_id uuid, primary key (company_id, id))'
  const tie = `alter table "later" add constraint later_operation foreign key (company_id, operation_id)
    references operations (company_id, id)`
  writeFileSync(join(folder, '0000_later.sql'), `${make}\n--> statement-breakpoint\n${tie}`)
  const owner = openDatabase(server.ownerUrl, 2)
  await transaction(owner, (tx) => applyMigrations(tx, folder)).finally(() => owner.$client.end())
  rmSync(folder, { recursive: true })
  const { rows } = await asAdmin(
    "select citus_table_type as type from citus_tables where table_name = 'later'::regclass",
  )
  expect(rows).toEqual([{ type: 'distributed' }])
})

test('deletions with the owner’s rights are committed with the caller’s writes, or not at all', async () => {
  const { companyId } = await makeUser(server.db)
  const entry = {
    actor: 'a',
    action: 'POST /x',
    label: 'X',
    target: '',
    detail: {},
    requestId: 'r',
    ip: '',
    userId: null,
  }
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2020-06-01T10:00:00Z') })
  for (const _ of [1, 2])
    await transaction(server.db, (tx) => appendAudit(tx, server.deps.secrets, { companyId, outcome: 'done', ...entry }))
  vi.useRealTimers()
  const hash = Buffer.alloc(32)
  const retire = (tx: Db) => tx.execute(sql`select retire_audit(${companyId}, '2021-01-01', 1)`)
  const start = (tx: Db, seq: number) => tx.insert(auditStarts).values({ companyId, seq, hash, seal: hash })
  const left = () => server.db.$count(auditEntries, eq(auditEntries.companyId, companyId))
  const cut = transaction(server.db, async (tx) => {
    await start(tx, 1)
    await retire(tx)
    throw new Error('cut')
  })
  await expect(cut).rejects.toThrow('cut')
  expect(await left()).toBe(2)
  await transaction(server.db, async (tx) => {
    await start(tx, 1)
    await retire(tx)
    await tx.update(auditStarts).set({ seq: 2 }).where(eq(auditStarts.companyId, companyId))
  })
  expect(await left()).toBe(1)
  await expect(server.db.delete(auditEntries).where(eq(auditEntries.companyId, companyId))).rejects.toThrow()
  expect(await left()).toBe(1)
})

const write = (user: User, name: string) =>
  call(server, participants.create, { body: { kind: 'person', firstName: 'Ana', lastName: name } }, user)

const enter = ({ email }: User, device: string) =>
  call(server, auth.login, { body: { email, password: PASSWORD } }, { headers: { 'user-agent': device } })

/** Acknowledged writes, recorded outside of the database. */
async function writing(user: User, ledger: Set<string>, isOver: () => boolean) {
  const refused: number[] = []
  for (let n = 0; !isOver(); n++) {
    const answer = await write(user, `Voisin ${n}`)
    if (answer.status === 200) ledger.add(answer.body.id)
    else refused.push(answer.status)
  }
  return refused
}
const listParticipantIds = async ({ companyId }: User) => {
  const { rows } = await server.db.execute<{ id: string }>(
    sql`select id from participants where company_id = ${companyId}`,
  )
  return rows.map(({ id }) => id)
}

test('a company is moved to another machine during writes: nothing is lost or duplicated', async () => {
  const user = await makeUser(server.db)
  const from = await loadShardPlacement(server, user.companyId)
  const { rows } = await asAdmin('select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards')
  const to = rows.find(({ host, port }) => host !== from.host || port !== from.port)
  const ledger = new Set<string>()
  let moved = false
  const work = writing(user, ledger, () => moved)
  await waitUntil(() => ledger.size > 3)
  const place = [from.shard, from.host, from.port, to.host, to.port]
  await asAdmin("select citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')", place).finally(() => {
    moved = true
  })
  const refused = await work
  expect(refused.filter((status) => status !== 503)).toEqual([])
  expect(await loadShardPlacement(server, user.companyId)).toMatchObject(to)
  const rowsNow = await listParticipantIds(user)
  expect([...ledger].filter((id) => !rowsNow.includes(id))).toEqual([])
  expect(rowsNow.length).toBeLessThanOrEqual(ledger.size + refused.length)
  expect((await write(user, 'Après')).status).toBe(200)
})

/** Calls of a company recorded by the gateway. */
async function countCalls({ companyId }: User): Promise<number> {
  await server.app.gateway.flush()
  const { rows } = await server.db.execute<{ calls: number }>(
    sql`select coalesce(sum(calls), 0)::int as calls from call_counts where company_id = ${companyId}`,
  )
  return rows[0]?.calls ?? 0
}

test('a machine goes down: its companies must retry, others continue, and it recovers by itself', async () => {
  const { there, elsewhere, machine } = await makeAdminsOnTwoMachines(server)
  const ledger = [(await write(there, 'Avant')).body.id]
  expect((await enter(elsewhere, 'celle de toujours')).status).toBe(200)
  await withMachineDown(server, machine, async () => {
    const answer = await waitUntil(async () => {
      const one = await write(there, 'Pendant')
      return one.status === 503 && one
    })
    expect(answer.body.code).toBe('unavailable')
    expect((await write(elsewhere, 'Pendant')).status).toBe(200)
    expect(await countCalls(elsewhere)).toBe(1)
    expect((await enter(elsewhere, 'une autre machine')).status).toBe(200)
  })
  await waitUntil(async () => (await write(there, 'Après')).status === 200)
  expect(await countCalls(there)).toBeGreaterThan(1)
  expect(await listParticipantIds(there)).toEqual(expect.arrayContaining(ledger))
})
