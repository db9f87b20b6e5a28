import { allocations } from '@voisol/contract/allocations'
import { curves } from '@voisol/contract/curves'
import { energy } from '@voisol/contract/energy'
import { invoices } from '@voisol/contract/invoices'
import { retention } from '@voisol/contract/retention'
import { RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { addMonths } from '@voisol/energy/calendar'
import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { mockToday } from '../../../../test/billing-year.ts'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { buildCurveDay } from '../../../../test/factories-energy.ts'
import { billPastMonth, makePastMonth, PAST_MONTH } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { waitForLockWait } from '../../../../test/locks.ts'
import { useServer } from '../../../../test/server.ts'
import { lockCompany } from '../../../core/company-state.ts'
import { transaction } from '../../../db/client.ts'
import { auditEntries, datedSettings, notifications, retentionRuns } from '../../../db/schema/index.ts'
import { appendAudit } from '../../../http/audit.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { verifyAudit } from '../../identity/audit/index.ts'
import { addCounts, applyRetention } from './apply-retention.ts'
import { makeConsentPackPdf, makeRegisterPdf } from './retention-documents.ts'

const server = useServer()
const MONTH = PAST_MONTH

/** Creates an old month of two producers, with a definitive run and invoices. One home joined on the 17th. */
async function makeBilledPast() {
  const here = await makePastMonth(server, `${MONTH}-12`, `${MONTH}-17`)
  await billPastMonth(server, here)
  return here
}

const get = (token: string) => call(server, retention.get, {}, { token })
const preview = (token: string) => call(server, retention.preview, {}, { token })
const confirm = (token: string, body: { id: string; seal: string }) =>
  call(server, retention.confirm, { body }, { token })
const monthsWith = (more: Partial<Record<keyof typeof RETENTION_RULES, number>>) => ({
  ...Object.fromEntries(Object.entries(RETENTION_RULES).map(([kind, { months }]) => [kind, months])),
  ...more,
})

/** Every monthly and daily figure that a screen can ask for. */
async function figures({ token, operation, run }: Awaited<ReturnType<typeof makeBilledPast>>) {
  const month = { from: `${MONTH}-01`, to: '2024-04-01' }
  const ask = async (answer: ReturnType<typeof call>) => (await answer).body
  const { items } = await ask(call(server, invoices.list, { query: { size: '50' } }, { token }))
  return {
    totals: await ask(call(server, energy.summary, { query: { ...month, operationId: operation.id } }, { token })),
    operations: await ask(call(server, energy.operations, { query: month }, { token })),
    members: await ask(call(server, energy.members, { query: { ...month, operationId: operation.id } }, { token })),
    run: await ask(call(server, allocations.get, { params: { id: run.id } }, { token })),
    invoices: await Promise.all(
      items.map(({ id }: { id: string }) => ask(call(server, invoices.get, { params: { id } }, { token }))),
    ),
  }
}

test('deletes nothing before the preview is confirmed; then the steps are deleted and every total stays', async () => {
  const here = await makeBilledPast()
  const { token, companyId, run } = here
  const before = await figures(here)
  expect(before.invoices.length).toBeGreaterThan(1)
  expect(JSON.stringify([before.totals, before.members, before.operations])).not.toMatch(/"code"/)
  const proof = async () => (await call(server, allocations.proof, { params: { id: run.id } }, { token })).body
  expect(await proof()).toMatchObject({ broken: 0, sameHash: true, retiredBefore: null })

  // Without a confirmation the nightly run only previews and notifies.
  await applyRetention(server.deps, companyId)
  await applyRetention(server.deps, companyId)
  const shown = (await get(token)).body
  expect(shown.preview.counts.curves).toEqual({ count: 20 + 20 + 20, months: { [MONTH]: 60 } })
  expect(shown.confirmed).toBe(false)
  const told = await server.db.select().from(notifications).where(eq(notifications.companyId, companyId))
  expect(told.filter(({ title }) => /durée de conservation/.test(title))).toHaveLength(1)
  expect(await figures(here)).toEqual(before)

  // Confirming durations other than those in force is refused.
  const { id, seal } = { id: shown.preview.id, seal: shown.seal }
  expect((await confirm(token, { id, seal: 'autre' })).status).toBe(409)
  const changed = await call(
    server,
    retention.update,
    { body: { months: monthsWith({ curves: 25 }), reason: 'Décision du bureau.', seal } },
    { token },
  )
  expect([changed.status, changed.body.months.curves, changed.body.preview]).toEqual([200, 25, null])
  expect((await confirm(token, { id, seal })).status).toBe(409)
  const again = (await preview(token)).body
  const other = await makeUser(server.db)
  expect((await confirm(other.token, { id: again.preview.id, seal: again.seal })).status).toBe(409)
  expect((await confirm(token, { id: again.preview.id, seal: again.seal })).body.confirmed).toBe(true)
  await waitForJobs(server)

  // The deleted steps are shown as missing, not zero; nothing else has changed.
  const { rows } = await server.db.execute(sql`
    select bool_and(watts = decode(repeat('ff', length(watts)), 'hex')) as gone, sum(energy)::text as energy
      from curve_days where company_id = ${companyId}`)
  expect(rows[0]).toMatchObject({ gone: true })
  expect(await figures(here)).toEqual(before)
  expect(await proof()).toMatchObject({ broken: 0, above: 0, sameHash: true, retiredBefore: '2024-04-01' })
  const series = await call(
    server,
    curves.series,
    { params: { id: here.consumers[0]?.id ?? '' }, query: { from: `${MONTH}-20`, to: `${MONTH}-21` } },
    { token },
  )
  expect(JSON.stringify(series.body)).not.toMatch(/"watts":\[0/)

  // Late readings of deleted days do not replace their totals, and the days are not allocated again.
  const late = [buildCurveDay(here.consumers[0]?.id ?? '', `${MONTH}-20`, 5)]
  const stored = await storeReadingsAndNotify(server.db, companyId, late, { source: 'api', receivedAt: new Date() })
  expect([stored.inserted, stored.changed]).toEqual([0, 0])
  const body = { from: `${MONTH}-12`, to: '2024-04-01', kind: 'provisional' }
  const started = await call(server, allocations.start, { params: { id: here.operation.id }, body }, { token })
  expect([started.status, started.body.issues?.[0]?.message]).toEqual([422, expect.stringMatching(/01\/04\/2024/)])
  expect(await figures(here)).toEqual(before)

  // A second night finds nothing and creates no second report.
  await applyRetention(server.deps, companyId)
  const reports = (await get(token)).body.passes
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({ counts: { curves: { count: 60 } }, finishedAt: expect.any(String) })

  // The integrity check works: it detects a total that was changed in the database.
  await server.asOwner(`update allocation_days set local = local + 1 where run_id = $1 and day = $2`, [
    run.id,
    `${MONTH}-20`,
  ])
  expect(await proof()).toMatchObject({ sameHash: false })
})

test('durations are limited by the API and by the database', async () => {
  const { token, companyId } = await makeUser(server.db)
  const { seal } = (await get(token)).body
  const save = (months: object) =>
    call(server, retention.update, { body: { months, reason: 'Essai.', seal } }, { token })
  for (const [kind, { least, most }] of Object.entries(RETENTION_RULES))
    for (const months of [least - 1, most + 1]) expect((await save(monthsWith({ [kind]: months }))).status).toBe(422)
  const recent = `${addMonths(getToday(), -14).slice(0, 7)}-01`
  await expect(server.db.execute(sql`select retire_curves(${companyId}, ${recent}::date)`)).rejects.toThrow()
  await expect(
    server.db.execute(sql`select retire_audit(${companyId}, now() - interval '11 months', 10)`),
  ).rejects.toThrow()
  await expect(
    server.db.execute(sql`update curve_days set watts = '' where company_id = ${companyId}`),
  ).rejects.toThrow()
  // Of two concurrent changes, one is refused.
  const both = await Promise.all([13, 14].map((audit) => save(monthsWith({ audit }))))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('the audit log keeps a valid chain from its signed start, and an unsigned start is detected', async () => {
  const { token, companyId, email, id: userId } = await makeUser(server.db)
  const about = { actor: email, action: 'POST /essai', label: 'Essai', target: '', detail: {}, requestId: 'r', ip: '' }
  const write = { companyId, userId, outcome: 'done' as const, ...about }
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${addMonths(getToday(), -40)}T10:00:00Z`) })
  for (const _ of [1, 2, 3]) await transaction(server.db, (tx) => appendAudit(tx, server.deps.secrets, write))
  vi.useRealTimers()
  const chain = async () =>
    (await verifyAudit(server.db, server.deps.secrets)).find((one) => one.companyId === companyId)
  const shown = (await preview(token)).body
  expect(shown.preview.counts.audit.count).toBe(3)
  await confirm(token, { id: shown.preview.id, seal: shown.seal })
  await waitForJobs(server)
  const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))
  expect(entries.map(({ seq }) => seq).sort()).toEqual([4, 5])
  expect(await chain()).toMatchObject({ links: 5 })
  expect((await chain())?.broken).toBeUndefined()
  // Deletes one entry more and pretends that its period had passed.
  await server.asOwner('delete from audit_entries where company_id = $1 and seq = 4', [companyId])
  expect((await chain())?.broken).toMatchObject({ seq: 4, fault: 'removed' })
  const [fourth] = entries.filter(({ seq }) => seq === 4)
  await server.asOwner('update audit_starts set seq = 4, hash = $2 where company_id = $1', [companyId, fourth?.hash])
  expect((await chain())?.broken).toMatchObject({ fault: 'removed' })
})

/** Creates three old audit entries, older than two years and more recent than three. */
async function actsOfLongAgo(companyId: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${addMonths(getToday(), -30)}T10:00:00Z`) })
  const about = { actor: 'x', action: 'POST /essai', label: 'Essai', target: '', detail: {}, requestId: 'r', ip: '' }
  for (const _ of [1, 2, 3])
    await transaction(server.db, (tx) =>
      appendAudit(tx, server.deps.secrets, { companyId, userId: null, outcome: 'done', ...about }),
    )
  vi.useRealTimers()
}
const actsLeft = async (companyId: number) => {
  const all = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))
  return all.filter(({ action }) => action === 'POST /essai').length
}

async function sayYes(token: string): Promise<string> {
  const { preview: shown, seal } = (await preview(token)).body
  expect((await confirm(token, { id: shown.id, seal })).body.confirmed).toBe(true)
  await waitForJobs(server)
  return seal
}

test('a confirmation is valid only for the durations that were previewed', async () => {
  const { token, companyId } = await makeUser(server.db)
  await actsOfLongAgo(companyId)
  const body = { months: monthsWith({ audit: 24 }), reason: 'Décision du bureau.', seal: await sayYes(token) }
  expect((await call(server, retention.update, { body }, { token })).body.confirmed).toBe(false)
  await applyRetention(server.deps, companyId)
  expect(await actsLeft(companyId)).toBe(3)
  await sayYes(token)
  expect(await actsLeft(companyId)).toBe(0)
})

test('a duration changed during a run stops it before its next batch', async () => {
  const { token, companyId } = await makeUser(server.db)
  await actsOfLongAgo(companyId)
  await sayYes(token)
  // A year later the entries have passed their retention period.
  mockToday(addMonths(getToday(), 12))
  let pass: Promise<void> | undefined
  await transaction(server.db, async (tx) => {
    await lockCompany(tx, companyId)
    pass = applyRetention(server.deps, companyId)
    await waitForLockWait(server)
    const word = { companyId, startsOn: getToday(), source: 'Essai.', createdBy: 'x' }
    await tx.insert(datedSettings).values({ ...word, name: 'retention.tickets', value: 17 })
  })
  await pass
  vi.restoreAllMocks()
  expect(await actsLeft(companyId)).toBe(3)
})

test('a report adds the counts of its batches', () => {
  const once = addCounts({}, 'tickets', { '2020-01': 2, '2020-02': 3 })
  expect(addCounts(once, 'tickets', { '2020-02': 4 }).tickets).toEqual({
    count: 9,
    months: { '2020-01': 2, '2020-02': 7 },
  })
})

test('the register and its documents show the configured durations', async () => {
  const { token, companyId } = await makeUser(server.db)
  const { seal } = (await get(token)).body
  const body = { months: monthsWith({ tickets: 17 }), reason: 'Choix du bureau.', seal }
  await call(server, retention.update, { body }, { token })
  expect(extractPdfText(await makeRegisterPdf(server.db, companyId))).toMatch(/17\smois/)
  expect(extractPdfText(await makeConsentPackPdf(server.db, companyId))).toMatch(/Collecte de mes mesures/)
  for (const paper of [retention.register, retention.consentPack])
    expect((await call(server, paper, {}, { token })).headers['content-type']).toBe('application/pdf')
  expect(await server.db.select().from(retentionRuns).where(eq(retentionRuns.companyId, companyId))).toEqual([])
})
