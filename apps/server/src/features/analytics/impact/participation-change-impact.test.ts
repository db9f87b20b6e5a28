import { allocations } from '@voisol/contract/allocations'
import { effects, type MemberImpact } from '@voisol/contract/effects'
import { participations } from '@voisol/contract/points'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  makeParticipant,
  requestImpactPreview,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { allocationRuns, participations as rows } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'

const server = useServer()
/** A month whose last Sunday has 23 hours. */
const PERIOD = { from: '2025-03-01', to: '2025-04-01' }

async function createTestScene(kind = 'provisional', method = 'default') {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [1_511], consumers: [709, 503, 401] })
  await requestKeyAdoption(server, here, { method })
  const run = await runAllocation(server, here, { ...PERIOD, kind })
  return { ...here, run }
}
type Scene = Awaited<ReturnType<typeof createTestScene>>

const loadNthParticipation = async ({ consumers }: Scene, nth: number) => {
  const [row] = await server.db
    .select()
    .from(rows)
    .where(eq(rows.pointId, consumers[nth]?.id ?? ''))
  if (!row) throw new Error('no seat')
  return row
}
const preview = (change: object, token: string) => call(server, effects.preview, { body: change }, { token })
/** An exit, as the participant page sends it. */
const exit = async (here: Scene, on: string, nth = 1) => {
  const { id, startsOn, version } = await loadNthParticipation(here, nth)
  return { kind: 'dates', id, body: { startsOn, endsOn: on, noticeOn: null, agreementSignedOn: null, version } }
}
type Exit = Awaited<ReturnType<typeof exit>>
const make = ({ id, body }: Exit, token: string, word: object = {}) =>
  call(server, participations.update, { params: { id }, body: { ...body, ...word } }, { token })
const points = async (id: string, token: string) =>
  (await call(server, allocations.points, { params: { id } }, { token })).body.items as {
    prm: string
    total: number
    local: number
  }[]

test('previews an exit in the past to the unit, equal to the next run', async () => {
  const here = await createTestScene('definitive')
  const change = await exit(here, '2025-03-18')
  const { status, body } = await preview(change, here.token)
  expect(status).toBe(200)
  expect(body).toMatchObject({ retroactive: true, beyond: null, outdated: [{ id: here.run.id }] })
  expect(body.months).toHaveLength(1)
  const [month] = body.months
  expect(month).toMatchObject({ month: '2025-03-01', days: 31, changed: true, definitive: true, stale: false })
  const before = await points(here.run.id, here.token)
  expect((await make(change, here.token, { shown: body.shown })).status).toBe(200)
  const after = await points((await runAllocation(server, here, { ...PERIOD, kind: 'definitive' })).id, here.token)
  for (const member of month.members as MemberImpact[]) {
    const was = before.find(({ prm }) => prm === member.prm)
    const will = after.find(({ prm }) => prm === member.prm)
    expect(member.before).toEqual({ total: was?.total, local: was?.local, missing: 0 })
    expect(member.after).toEqual({ total: will?.total, local: will?.local, missing: 0 })
  }
  // The plant shares less as well.
  expect(month.members).toHaveLength(4)
  expect(month.after.surplus).toBe(month.after.produced - month.after.allocated)
  expect(month.after.surplus).toBeGreaterThan(month.before.surplus)
})

test('writes nothing in a preview', async () => {
  const here = await createTestScene('definitive')
  const count = async () => {
    const { rows: found } = await server.db.execute(sql`
      select (select count(*) from events where company_id = ${here.companyId})::int as events,
             (select count(*) from audit_entries where company_id = ${here.companyId})::int as audit,
             (select count(*) from points where company_id = ${here.companyId})::int as points,
             (select count(*) from allocation_runs where company_id = ${here.companyId} and stale_at is not null)::int as stale,
             (select max(version) from participations where company_id = ${here.companyId}) as version`)
    return found[0]
  }
  await waitForJobs(server)
  const before = await count()
  const { body } = await preview(await exit(here, '2025-03-18'), here.token)
  expect(body.outdated).toEqual([{ id: here.run.id, operationId: here.operation.id, ...PERIOD }])
  const join = {
    operationId: here.operation.id,
    prm: '30001234560011',
    direction: 'consumption',
    startsOn: '2025-03-09',
  }
  const participantId = (await makeParticipant(server.db, { companyId: here.companyId })).id
  expect((await preview({ kind: 'join', body: { ...join, participantId } }, here.token)).body.retroactive).toBe(true)
  await waitForJobs(server)
  expect(await count()).toEqual(before)
})

test('adds a new point exactly as previewed', async () => {
  const here = await createTestScene('definitive')
  const { id: participantId } = await makeParticipant(server.db, { companyId: here.companyId })
  const place = { operationId: here.operation.id, prm: '30001234560029', direction: 'consumption' }
  const body = { ...place, participantId, startsOn: '2025-03-09' }
  expect((await call(server, participations.create, { body }, here)).status).toBe(409)
  const { body: found } = await preview({ kind: 'join', body }, here.token)
  const joined = (found.months[0].members as MemberImpact[]).find((member) => member.participantId === participantId)
  // It has no readings: every step of its 23 days is missing, and 30 March lacks an hour.
  expect(joined).toMatchObject({ before: null, after: { local: 0, missing: 23 * 96 - 4 } })
  const seen = { shown: found.shown }
  expect((await call(server, participations.create, { body: { ...body, ...seen } }, here)).status).toBe(200)
})

test('refuses a past change without preview, and asks for none when nothing was computed', async () => {
  const here = await createTestScene()
  const change = await exit(here, '2025-03-18')
  const refused = await make(change, here.token)
  expect([refused.status, refused.body.code]).toEqual([409, 'effects-unseen'])
  expect(refused.body.detail).toContain('mars 2025')
  expect((await loadNthParticipation(here, 1)).endsOn).toBeNull()
  expect((await make(change, here.token, { shown: 'x'.repeat(43) })).status).toBe(409)
  const later = await exit(here, '2025-04-01')
  expect((await preview(later, here.token)).body).toMatchObject({ retroactive: false, shown: null, months: [] })
  expect((await make(later, here.token)).status).toBe(200)
})

test('accepts a preview only for the same change and person while nothing else changes', async () => {
  // A definitive run, which no job replaces by itself.
  const here = await createTestScene('definitive')
  const change = await exit(here, '2025-03-18')
  const seen = await requestImpactPreview(server, change, here.token)
  const other = { ...change, body: { ...change.body, endsOn: '2025-03-19' } }
  expect((await make(other, here.token, seen)).status).toBe(409)
  const colleague = await makeUser(server.db, { companyId: here.companyId })
  expect((await make(change, colleague.token, seen)).status).toBe(409)
  const corrected = buildCurveDay(here.consumers[0]?.id ?? '', '2025-03-03', 811)
  await storeReadingsAndNotify(server.db, here.companyId, [corrected], { source: 'api', receivedAt: new Date() })
  const late = await make(change, here.token, seen)
  expect([late.status, late.body.code]).toEqual([409, 'effects-unseen'])
  expect(late.body.detail).toContain('depuis que vous en avez vu les effets')
  expect((await make(change, here.token, await requestImpactPreview(server, change, here.token))).status).toBe(200)
})

test('moves kWh between the two holders only on a change of holder', async () => {
  const here = await createTestScene('definitive')
  const seat = await loadNthParticipation(here, 0)
  const { id: participantId } = await makeParticipant(server.db, { companyId: here.companyId })
  const body = { participantId, on: '2025-03-30', agreementSignedOn: null }
  const { body: found } = await preview({ kind: 'transfer', id: seat.id, body }, here.token)
  const [month] = found.months
  expect(month.before).toEqual(month.after)
  expect(month).toMatchObject({ definitive: true, unchanged: 3 })
  const [was, will] = [seat.participantId, participantId].map((id) =>
    (month.members as MemberImpact[]).find((member) => member.participantId === id),
  )
  expect(month.members).toHaveLength(2)
  expect(will?.before).toBeNull()
  expect((was?.after?.local ?? 0) + (will?.after?.local ?? 0)).toBe(was?.before?.local)
  // Sunday 30 March has 23 hours, Monday 31 has 24.
  expect(will?.after?.total).toBe(709 * 47 * 60)
  expect(found.summary).toContain('le surplus ne change pas')
  expect(found.summary).toContain('1 calcul définitif devient à rectifier')
  const params = { id: seat.id }
  const word = { shown: found.shown }
  expect((await call(server, participations.transfer, { params, body }, here)).status).toBe(409)
  expect((await call(server, participations.transfer, { params, body: { ...body, ...word } }, here)).status).toBe(200)
  const [run] = await server.db.select().from(allocationRuns).where(eq(allocationRuns.id, here.run.id))
  expect(run?.staleAt).not.toBeNull()
})
