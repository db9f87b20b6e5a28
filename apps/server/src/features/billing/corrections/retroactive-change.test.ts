import { billing } from '@voisol/contract/billing'
import { corrections, type ProposedChange } from '@voisol/contract/corrections'
import { effects, type MemberImpact } from '@voisol/contract/effects'
import { participations as stays } from '@voisol/contract/points'
import { tariffs } from '@voisol/contract/tariffs'
import { and, desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { allocateBillableMonth, type BillableMonth, makeBillableMonth } from '../../../../test/factories-billing.ts'
import { requestTariffDraft } from '../../../../test/factories-tariffs.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, participations } from '../../../db/schema/index.ts'
import { enqueueMonthReviews } from './review-months.ts'

const server = useServer()
const REASON = 'L’assemblée a voté ce prix dès le 27 octobre.'

async function closed() {
  const here = await makeBillableMonth(server)
  await allocateBillableMonth(server, here)
  const params = { operationId: here.operation.id, month: '2025-10' }
  await call(server, billing.close, { params, body: {} }, here)
  const issue = () => call(server, billing.issue, { params }, here)
  return { ...here, issue }
}
async function issued() {
  const here = await closed()
  expect((await here.issue()).body.issued).toBe(6)
  return here
}

const reviewsOf = async (here: BillableMonth) => {
  const { body } = await call(server, corrections.list, { query: { state: 'open' } }, here)
  return body.items as { id: string; causes: string[] }[]
}
/** The proposed difference by buyer. */
async function proposedOf(here: BillableMonth) {
  const [review] = await reviewsOf(here)
  const { body } = await call(server, corrections.get, { params: { id: review?.id } }, here)
  const sums: Record<string, number> = {}
  for (const { buyerId, delta, becomes } of body.changes as ProposedChange[])
    if (becomes !== 'barred') sums[buyerId] = (sums[buyerId] ?? 0) + delta.gross
  return { causes: body.causes, sums: Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0)) }
}
const centsOf = (members: MemberImpact[]) =>
  Object.fromEntries(
    members.flatMap(({ participantId, cents }) => (cents === undefined ? [] : [[participantId, cents]])),
  )

const prepare = async (here: BillableMonth) =>
  (
    await requestTariffDraft(server, here, {
      startsOn: '2025-10-27',
      rules: [{ price: 1493 }, { price: 1711, class: 'HPB' }],
    })
  ).body
const adopt = (here: BillableMonth, { id, version }: { id: string; version: number }, more: object = {}) =>
  call(server, tariffs.adopt, { params: { id }, body: { version, ...more } }, here)

test('shows a retroactive tariff in euros, adopts it with a reason, and corrects exactly that', async () => {
  const here = await issued()
  const draft = await prepare(here)
  const { id, version } = draft
  expect(draft.problems.map(({ severity }: { severity: string }) => severity)).toEqual(['reason'])
  const refused = await adopt(here, draft)
  expect([refused.status, refused.body.issues[0].path]).toEqual([422, 'reason'])
  const { body: seen } = await call(server, effects.preview, { body: { kind: 'tariff', id, body: { version } } }, here)
  const [month] = seen.months
  expect(seen).toMatchObject({ retroactive: true, outdated: [], summary: expect.stringContaining('à régulariser') })
  for (const { before, after } of month.members as MemberImpact[]) expect(after).toEqual(before)
  const cents = centsOf(month.members)
  expect(Object.keys(cents)).toHaveLength(3)
  expect(month.cents).toBe(Object.values(cents).reduce((sum, own) => sum + own, 0))
  expect((await call(server, tariffs.get, { params: { id } }, here)).body.status).toBe('draft')

  expect((await adopt(here, draft, { reason: REASON })).status).toBe(200)
  await waitForJobs(server)
  expect(await proposedOf(here)).toEqual({ causes: ['prices'], sums: cents })
  const [entry] = await server.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, here.companyId), eq(auditEntries.action, 'POST /api/tariffs/:id/adopt')))
    .orderBy(desc(auditEntries.seq))
    .limit(1)
  expect(entry?.detail).toMatchObject({ reason: REASON })
})

test('finds a change between the close and the issue soon after the issue', async () => {
  const here = await closed()
  expect((await adopt(here, await prepare(here), { reason: REASON })).status).toBe(200)
  await waitForJobs(server)
  expect(await reviewsOf(here)).toEqual([])
  await here.issue()
  await enqueueMonthReviews(server.deps)
  await waitForJobs(server)
  expect((await reviewsOf(here)).map(({ causes }) => causes)).toEqual([['prices']])
})

test('warns before adopting a tariff without a price for every member of a billed month', async () => {
  const here = await issued()
  const rules = [{ price: 1493, class: 'HPB' }]
  const { body: draft } = await requestTariffDraft(server, here, { startsOn: '2025-10-27', rules })
  const change = { kind: 'tariff', id: draft.id, body: { version: draft.version } }
  const { status, body } = await call(server, effects.preview, { body: change }, here)
  expect([status, body.detail]).toEqual([422, expect.stringContaining('il y manque un prix')])
})

test('shows an exit from an issued month in euros before it is made, equal to its correction', async () => {
  const here = await issued()
  const [row] = await server.db
    .select()
    .from(participations)
    .where(eq(participations.pointId, here.consumers[1]?.id ?? ''))
  const { id = '', startsOn, version } = row ?? {}
  const body = { startsOn, endsOn: '2025-10-28', noticeOn: null, agreementSignedOn: null, version }
  const preview = (token: string) => call(server, effects.preview, { body: { kind: 'dates', id, body } }, { token })
  const { status, body: seen } = await preview(here.token)
  expect([status, seen.detail]).toEqual([200, undefined])
  const cents = centsOf(seen.months[0].members)
  expect(cents[row?.participantId ?? '']).toBeLessThan(0)
  expect(seen.months[0].cents).toBe(Object.values(cents).reduce((sum, own) => sum + own, 0))
  await call(server, stays.update, { params: { id }, body: { ...body, shown: seen.shown } }, here)
  await allocateBillableMonth(server, here)
  await waitForJobs(server)
  const { causes, sums } = await proposedOf(here)
  expect(causes).toEqual(['energy', 'members'])
  expect(sums).toEqual(cents)
})

test('computes no euros when nothing is billed', async () => {
  const here = await closed()
  const [row] = await server.db
    .select()
    .from(participations)
    .where(eq(participations.pointId, here.consumers[0]?.id ?? ''))
  const { id, startsOn, version } = row ?? {}
  const body = { startsOn, endsOn: '2025-10-29', noticeOn: null, agreementSignedOn: null, version }
  const { body: seen } = await call(server, effects.preview, { body: { kind: 'dates', id, body } }, here)
  expect(seen.months[0].cents).toBeUndefined()
  expect(centsOf(seen.months[0].members)).toEqual({})
  const other = await makeUser(server.db)
  expect((await call(server, effects.preview, { body: { kind: 'dates', id, body } }, other)).status).toBe(404)
})
