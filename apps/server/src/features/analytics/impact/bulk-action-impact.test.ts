import { effects } from '@voisol/contract/effects'
import { participants } from '@voisol/contract/participants'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { executeBulkRun } from '../../energy/participants/bulk-actions.ts'

const server = useServer()
const PERIOD = { from: '2025-03-01', to: '2025-04-01' }

async function createTestScene() {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [1_511], consumers: [709, 503, 401] })
  await requestKeyAdoption(server, here, { method: 'default' })
  await runAllocation(server, here, { ...PERIOD, kind: 'definitive' })
  const { rows } = await server.db.execute<{ id: string }>(sql`
    select participant_id as id from participations where company_id = ${here.companyId}
       and point_id in (${here.consumers[0]?.id ?? ''}, ${here.consumers[1]?.id ?? ''})`)
  const work = {
    selection: { ids: rows.map(({ id }) => id) },
    action: { kind: 'exit', on: '2025-03-18', noticeOn: null },
  }
  const ask = (more: object, token = here.token) =>
    call(server, participants.bulk, { body: { ...work, dryRun: false, ...more } }, { token })
  const look = (token = here.token) => call(server, effects.preview, { body: { kind: 'many', body: work } }, { token })
  const ends = async () => {
    const { rows: found } = await server.db.execute<{ n: number }>(sql`
      select count(*)::int as n from participations where company_id = ${here.companyId} and ends_on = '2025-03-18'`)
    return found[0]?.n
  }
  return { ...here, work, ask, look, ends }
}

test('requires a preview for a bulk exit in the past, and applies it afterwards', async () => {
  const { ask, look, ends } = await createTestScene()
  const { body: tried } = await ask({ dryRun: true })
  expect(tried).toMatchObject({ status: 'done', done: 2, refused: 0 })
  const refused = await ask({ seal: tried.seal })
  expect([refused.status, refused.body.code, await ends()]).toEqual([409, 'effects-unseen', 0])
  const { body: seen } = await look()
  expect(seen.months).toHaveLength(1)
  expect(seen.months[0].members.length).toBeGreaterThanOrEqual(3)
  expect(await ends()).toBe(0)
  expect((await ask({ seal: tried.seal, shown: seen.shown })).body).toMatchObject({ status: 'done', done: 2 })
  expect(await ends()).toBe(2)
})

test('requires the preview for a bulk change applied later by a job', async () => {
  const { ask, look, ends, companyId, token } = await createTestScene()
  const { body: tried } = await ask({ dryRun: true })
  const later = async (shown: string | null) => {
    const { rows } = await server.db.execute<{ id: string }>(sql`
      insert into bulk_runs (company_id, status, dry_run, action, participant_ids, seal, shown, created_by)
      select r.company_id, 'running', false, r.action, r.participant_ids, r.seal, ${shown}, r.created_by
        from bulk_runs r where r.id = ${tried.id} returning id`)
    const runId = rows[0]?.id ?? ''
    await executeBulkRun(server.deps, { companyId, runId })
    const { body } = await call(server, participants.bulkRun, { params: { id: runId } }, { token })
    return body
  }
  expect(await later(null)).toMatchObject({ status: 'failed', message: expect.stringContaining('mars 2025') })
  expect(await ends()).toBe(0)
  expect(await later((await look()).body.shown)).toMatchObject({ status: 'done', done: 2 })
  expect(await ends()).toBe(2)
})

test('finds no people of another company', async () => {
  const { look } = await createTestScene()
  const { token } = await makeUser(server.db)
  expect((await look(token)).status).toBe(404)
})
