import { companies as calls } from '@voisol/contract/companies'
import { whiteLabel } from '@voisol/contract/white-label'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../test/client.ts'
import { makeCompany, makeUser } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import type { JobName } from '../jobs/job.ts'
import { defineJob } from '../jobs/job.ts'
import { enqueue, startQueue, stopQueue } from '../jobs/queue.ts'
import { type Db, scopeToCompany, setWriteCompany, transaction } from './client.ts'
import { DIRECTORY } from './schema/directory.ts'
import { files, memberships } from './schema/index.ts'

const server = useServer()
let [own, other] = [0, 0]
beforeAll(async () => {
  own = (await makeCompany(server.db)).id
  other = (await makeCompany(server.db)).id
})

const file = (companyId: number) => ({
  companyId,
  name: 'plan.pdf',
  mediaType: 'application/pdf',
  size: 317,
  sha256: 'ab',
})
const keep = async (db: Db, companyId: number) => (await db.insert(files).values(file(companyId)).returning())[0]
const inside = <T>(work: (tx: Db) => Promise<T>) => transaction(scopeToCompany(server.db, own), work)
const catchRefusalMessage = (work: (tx: Db) => Promise<unknown>) =>
  inside(work).then(
    () => undefined,
    (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
  )
/** In a Citus cluster no row can change its company, in any case. */
const ALONE = inject('postgres').machines.length === 1
const MOVED = /modifying the partition value/
/** In a Citus cluster the error names the shard. */
const REFUSED = /row-level security policy for table "files(_\d+)?"/

describe('a transaction of a company', () => {
  test('writes rows of that company', async () => {
    const kept = await inside(async (tx) => {
      const row = await keep(tx, own)
      await tx.update(files).set({ name: 'autre.pdf' }).where(eq(files.companyId, own))
      return row
    })
    expect(await server.db.select().from(files).where(eq(files.companyId, own))).toMatchObject([{ name: 'autre.pdf' }])
    await inside((tx) => tx.delete(files).where(eq(files.id, kept?.id ?? '')))
    expect(await server.db.select().from(files).where(eq(files.companyId, own))).toEqual([])
  })

  test('cannot add, change or delete rows of another', async () => {
    await keep(server.db, other)
    expect(await catchRefusalMessage((tx) => keep(tx, other))).toMatch(REFUSED)
    await inside((tx) => tx.update(files).set({ name: 'pris.pdf' }))
    if (ALONE) await inside((tx) => tx.update(files).set({ companyId: own }))
    await keep(server.db, own)
    expect(await catchRefusalMessage((tx) => tx.update(files).set({ companyId: other }))).toMatch(
      ALONE ? REFUSED : MOVED,
    )
    await inside((tx) => tx.delete(files).where(eq(files.companyId, other)))
    const left = await server.db.select().from(files).where(eq(files.companyId, other))
    expect(left).toMatchObject([{ name: 'plan.pdf' }])
  })

  test('may write for another explicitly, which the next transaction has forgotten', async () => {
    await inside(async (tx) => {
      await setWriteCompany(tx, other)
      await keep(tx, other)
      await setWriteCompany(tx, undefined)
      await keep(tx, own)
    })
    for (const id of [own, other]) await transaction(server.db, (tx) => keep(tx, id))
  })
})

test('every table of a company has row security, except those that COPY fills', async () => {
  const { rows } = await server.asOwner(`select relname as name from pg_class where relkind in ('r', 'p')
    and relnamespace = 'public'::regnamespace and not relrowsecurity order by 1`)
  expect(rows.map(({ name }) => name).filter((name) => !(name in DIRECTORY))).toEqual(['curve_days'])
})

test('a job whose input names a company writes for it alone', async () => {
  const told: string[] = []
  const write = (deps: { db: Db }, to: number) =>
    transaction(deps.db, (tx) => keep(tx, to)).then(
      () => told.push('kept'),
      (error: Error) => told.push(String(error.cause)),
    )
  const row = defineJob({
    input: z.object({ companyId: z.number(), to: z.number() }),
    run: async (deps, { to }) => void (await write(deps, to)),
  })
  const queue = await startQueue(server.deps, server.url, { walled: row }, true)
  const send = (input: { companyId: number; to: number }) => enqueue(server.db, 'walled' as JobName, input as never)
  await send({ companyId: own, to: own })
  await waitUntil(() => told.length === 1)
  await send({ companyId: own, to: other })
  await waitUntil(() => told.length === 2)
  await stopQueue(queue)
  expect(told).toEqual(['kept', expect.stringMatching(REFUSED)])
})

test('an administrator of two companies changes the second from a session on the first', async () => {
  const admin = await makeUser(server.db)
  const { id, name } = await makeCompany(server.db)
  await server.db.insert(memberships).values({ companyId: id, userId: admin.id, role: 'admin', acceptedAt: new Date() })
  const params = { companyId: id }
  const body = { primaryColor: '#123456', version: 0 }
  expect((await call(server, whiteLabel.update, { params, body }, admin)).status).toBe(200)
  const company = { name: `${name} bis`, legalName: '', siren: '', address: '', email: '', phone: '', version: 1 }
  expect((await call(server, calls.update, { params, body: company }, admin)).status).toBe(200)
  const { rows } = await server.asOwner('select action from audit_entries where company_id = $1 order by seq', [id])
  expect(rows).toHaveLength(2)
})
