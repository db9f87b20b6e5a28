import { health } from '@voisol/contract/health'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { MAIL_JOBS } from '../../../jobs/job.ts'
import { updateAlerts } from './health-alerts.ts'
import { getHealthLevel, METRICS, measureHealth } from './health-metrics.ts'
import { healthJobs } from './jobs.ts'
import { getNextCronDate } from './scheduled-jobs.ts'

const server = useServer()
let keeper: Awaited<ReturnType<typeof makeSiteAdmin>>
beforeAll(async () => {
  keeper = await makeSiteAdmin(server.db)
})
const fetchHealth = async () => (await call(server, health.get, {}, keeper)).body
const TASK = { id: '', signal: AbortSignal.timeout(60_000) }

describe('a health measure', () => {
  test('is a warning or critical beyond its threshold, in its own direction', () => {
    expect([0.69, 0.7, 0.9].map((value) => getHealthLevel(METRICS['database.connections'], value))).toEqual([
      'ok',
      'warning',
      'critical',
    ])
    expect([0.16, 0.15, 0.05].map((value) => getHealthLevel(METRICS['disk.free'], value))).toEqual([
      'ok',
      'warning',
      'critical',
    ])
    expect(getHealthLevel(METRICS['database.size'], 9e12)).toBe('ok')
    expect(getHealthLevel(METRICS['sync.lag'], null)).toBe('ok')
  })

  test('has a sentence with the remedy whenever it has a threshold', () => {
    for (const [name, row] of Object.entries(METRICS))
      if ('warning' in row) expect([name, row.advice.length > 30]).toEqual([name, true])
  })
})

test('only the installation operator reads measures, jobs and versions', async () => {
  const { status, body } = await call(server, health.get, {}, keeper)
  expect(status).toBe(200)
  const value = (metric: string) => body.measures.find((one: { metric: string }) => one.metric === metric)?.value
  expect(value('database.size')).toBeGreaterThan(1e6)
  expect(value('disk.free')).toBeGreaterThan(0)
  expect(value('certificate.left')).toBeNull()
  expect(value('copy.age')).toBeNull()
  expect(body.migrations.applied).toBe(body.migrations.known)
  expect(body.jobs.find(({ name }: { name: string }) => name === 'copies.due')).toMatchObject({
    label: 'Copies à l’heure prévue',
    cron: '17 * * * *',
    nextAt: expect.any(String),
  })
  expect((await call(server, health.get, {}, await makeUser(server.db))).status).toBe(403)
})

test('stores one sample per five minutes and returns thirty days of them', async () => {
  for (let i = 0; i < 2; i++) await healthJobs['health.sample'].run(server.deps, {}, TASK)
  const { rows } = await server.asOwner(`select count(*)::int as n from health_samples where metric = 'disk.free'`)
  expect(rows[0].n).toBeLessThanOrEqual(2)
  const { body } = await call(server, health.history, { query: { metric: 'disk.free' } }, keeper)
  expect(body.points).toHaveLength(121)
  expect(body.points.at(-1).value).toBeGreaterThan(0)
  expect(body.points[0].value).toBeNull()
  expect((await call(server, health.history, { query: { metric: 'rien' } }, keeper)).status).toBe(404)
})

test('an unreachable mail server opens one alert, which closes once the waiting mails have left', async () => {
  const waiting = (n: number) =>
    server.asOwner(`insert into jobs.job (name, state, data, created_on, start_after)
      select 'mail.send', 'retry', '{}', now() - interval '2 hours', now() + interval '1 hour' from generate_series(1, ${n})`)
  const alerts = async () =>
    (await fetchHealth()).alerts.filter(({ metric }: { metric: string }) => metric === 'mail.waiting')
  await waiting(7)
  for (let turn = 0; turn < 3; turn++) {
    await updateAlerts(server.deps, { 'mail.waiting': (await measureHealth(server.deps))['mail.waiting'] })
    await waiting(11)
  }
  expect(await alerts()).toEqual([
    expect.objectContaining({ level: 'warning', closedAt: null, detail: expect.stringContaining(': 7.') }),
  ])
  const told = await server.asOwner(
    `select count(*)::int as n from events where name = 'alert.raised' and data->>'metric' = 'mail.waiting'`,
  )
  expect(told.rows[0].n).toBe(1)
  await server.asOwner(`delete from jobs.job where name = 'mail.send' and data = '{}'`)
  await updateAlerts(server.deps, { 'mail.waiting': (await measureHealth(server.deps))['mail.waiting'] })
  expect((await alerts()).map(({ closedAt }: { closedAt: string | null }) => closedAt !== null)).toEqual([true])
})

test('a mail given up counts as failed, whichever job had to send it', async () => {
  const failed = async () => (await measureHealth(server.deps))['mail.failed'] ?? 0
  const before = await failed()
  await server.asOwner(`insert into jobs.job (name, state, data, completed_on)
    select name, 'failed', '{}', now() from unnest(array['${MAIL_JOBS.join("','")}', 'health.sample']) as name`)
  expect(await failed()).toBe(before + MAIL_JOBS.length)
  await server.asOwner(`delete from jobs.job where state = 'failed' and data = '{}'`)
})

test('opens an alert once, escalates it once, and closes it by itself', async () => {
  const alert = async () =>
    (await fetchHealth()).alerts.find(({ metric }: { metric: string }) => metric === 'process.loop')
  await updateAlerts(server.deps, { 'process.loop': 311 })
  await updateAlerts(server.deps, { 'process.loop': 353 })
  expect(await alert()).toMatchObject({ level: 'warning', closedAt: null, detail: expect.stringContaining('311') })
  await updateAlerts(server.deps, { 'process.loop': 2411 })
  await updateAlerts(server.deps, { 'process.loop': 400 })
  expect(await alert()).toMatchObject({ level: 'critical', closedAt: null })
  await updateAlerts(server.deps, { 'process.loop': null })
  expect((await alert()).closedAt).toBeNull()
  await updateAlerts(server.deps, { 'process.loop': 3 })
  expect((await alert()).closedAt).not.toBeNull()
  await waitForJobs(server)
  // The machine that runs the test may open other alerts.
  const mails = (await listMailsTo(server, keeper.email)).filter(({ text }) =>
    text?.includes(METRICS['process.loop'].label),
  )
  const subjects = mails.map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject?.includes('sans attendre'))).toHaveLength(1)
  expect(subjects.filter((subject) => subject?.includes('à regarder'))).toHaveLength(1)
})

test('an installation without BACKUP_KEY has an alert, which closes once the key is set', async () => {
  const { config } = server.deps
  const { backupKey } = config
  const sample = () => healthJobs['health.sample'].run(server.deps, {}, TASK)
  const alert = async () => (await fetchHealth()).alerts.find(({ metric }: { metric: string }) => metric === 'copy.key')
  config.backupKey = undefined
  try {
    await sample()
    const { measures } = await fetchHealth()
    expect(measures.find(({ metric }: { metric: string }) => metric === 'copy.key')).toMatchObject({ level: 'warning' })
    expect(await alert()).toMatchObject({ level: 'warning', closedAt: null })
    await waitForJobs(server)
    const texts = (await listMailsTo(server, keeper.email)).map(({ text }) => text ?? '')
    expect(texts.filter((text) => text.includes('Donnez BACKUP_KEY au serveur'))).toHaveLength(1)
  } finally {
    config.backupKey = backupKey
  }
  await sample()
  expect((await alert()).closedAt).not.toBeNull()
})

test.each([
  ['*/5 * * * *', '2026-03-29T00:57:31Z', '2026-03-29T01:00:00.000Z'],
  ['17 3 * * *', '2026-03-29T00:57:31Z', '2026-03-29T01:17:00.000Z'],
  ['41 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T00:41:00.000Z'],
  ['5 6 * * 1', '2026-03-29T12:00:00Z', '2026-03-30T04:05:00.000Z'],
  ['0 8-10 1 * *', '2026-03-29T12:00:00Z', '2026-04-01T06:00:00.000Z'],
])('cron %s after %s next matches at %s', (cron, now, next) => {
  expect(getNextCronDate(cron, new Date(now))?.toISOString()).toBe(next)
})
