import { status } from '@voisol/contract/status'
import { afterEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { useServer } from '../../../../test/server.ts'
import { statusJobs } from './jobs.ts'
import { createStatusLoader } from './status.ts'
import { HISTORY_DAYS, loadStatusHistory, measureStatus, recordStatusSamples } from './status-samples.ts'

const server = useServer()
afterEach(() => server.deps.db.$client.query('delete from status_samples'))

const TASK = { id: '', signal: AbortSignal.timeout(60_000) }
const sample = (component: string, at: string, ok: boolean) =>
  server.deps.db.$client.query(
    `insert into status_samples select $1, date_trunc('day', now() at time zone 'Europe/Paris') at time zone 'Europe/Paris' + $2::interval, $3`,
    [component, at, ok],
  )

describe('status page', () => {
  test('shows four components and 90 days to everybody', async () => {
    const { status: code, body } = await call(server, status.get)
    expect(code).toBe(200)
    expect(body).toMatchObject({
      state: 'operational',
      version: expect.stringMatching(/^\d+\.\d+\.\d+( \([0-9a-f]{7,12}\))?$/),
    })
    const names = body.components.map((c: { name: string; label: string }) => [c.name, c.label])
    expect(names).toEqual([
      ['site', 'Site et espace connecté'],
      ['database', 'Base de données'],
      ['queue', 'File de tâches'],
      ['mail', 'Messagerie'],
    ])
    for (const { days } of body.components) expect(days).toHaveLength(HISTORY_DAYS)
  })

  test('stores one sample per slot, however often the job runs', async () => {
    for (let i = 0; i < 3; i++) await statusJobs['status.sample'].run(server.deps, {}, TASK)
    const { rows } = await server.deps.db.$client.query(
      `select distinct component, ok from status_samples where component <> 'jobs' order by 1`,
    )
    expect(rows).toEqual(['database', 'mail', 'queue'].map((component) => ({ component, ok: true })))
  })

  test('counts failed and missing slots as unavailable, and unknown days as unknown', async () => {
    await sample('site', '-1 day', true)
    await sample('site', '-1 day 5 minutes', false)
    await sample('site', '-1 day 15 minutes', true)
    const days = (await loadStatusHistory(server.db)).get('site') ?? []
    expect(days).toHaveLength(HISTORY_DAYS)
    expect(days.at(-2)?.availability).toBe(0.5)
    expect(days.at(-1)?.availability).toBeNull()
    expect(days[0]?.availability).toBeNull()
  })

  test('shows which component is unavailable', async () => {
    const config = { ...server.deps.config, SMTP_URL: 'smtp://127.0.0.1:1' }
    expect(await measureStatus({ ...server.deps, config })).toEqual({
      database: 'operational',
      queue: 'operational',
      mail: 'down',
    })
    expect((await createStatusLoader({ ...server.deps, config })()).state).toBe('degraded')
    await recordStatusSamples(server.db, { site: 'down' })
    expect((await loadStatusHistory(server.db)).get('site')?.at(-1)?.availability).toBe(0)
  })
})
