import { curves } from '@voisol/contract/curves'
import { addDays, dayStart, localTime, offsetAt } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeMeter, makeOperation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { loadCurveHash, loadCurves } from './read-curves.ts'
import { storeImport } from './store-import.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
})

const pad = (n: number) => String(n).padStart(2, '0')
const clock = (minute: number) => {
  const { day, minuteOfDay } = localTime(minute)
  return `${day} ${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}:00`
}
const stampsOf = (day: string, step: number, first: number) =>
  Array.from(
    { length: (dayStart(addDays(day, 1)) - dayStart(day)) / step },
    (_, n) => dayStart(day) + (n + first) * step,
  )

const R63 = `Identifiant PRM;Date de début;Date de fin;Grandeur physique;Grandeur métier;Etape métier;Unité;Horodate;Valeur;Nature;Pas;Indice de vraisemblance;Etat complémentaire`
/** In the distributor's format: timestamps mark the end of the interval. */
const r63 = (prm: string, day: string, value: (n: number) => number, side = 'CONS') =>
  [
    R63,
    ...stampsOf(day, 30, 1).map(
      (minute, n) =>
        `${prm};${day} 00:00:00;${addDays(day, 1)} 00:00:00;PA;${side};BRUT;W;${clock(minute)};${value(n)};B;PT30M;0;0`,
    ),
    '',
  ].join('\n')
const offset = (minute: number) => `+0${offsetAt(minute) / 60}:00`
/** States everything: when intervals begin, on which clock, and the unit. */
const buildWideFile = (prms: string[], day: string, cells: (n: number) => string) =>
  [
    `Début;${prms.map((prm) => `${prm} (W)`).join(';')}`,
    ...stampsOf(day, 15, 0).map((minute, n) => `${clock(minute).replace(' ', 'T')}${offset(minute)};${cells(n)}`),
    '',
  ].join('\n')

const upload = (text: string, name = 'courbes.csv', token = admin.token) =>
  call(server, curves.upload, { query: { name }, upload: Buffer.from(text) }, { token })
const get = async (id: string) => (await call(server, curves.getImport, { params: { id } }, admin)).body
const waitUntilSettled = (id: string, away: string) =>
  waitUntil(async () => {
    const row = await get(id)
    return row.status !== away && row
  })
async function prepare(text: string, name?: string) {
  const { status, body } = await upload(text, name)
  expect(status).toBe(200)
  expect(body.status).toBe('reading')
  return waitUntilSettled(body.id, 'reading')
}
async function commit(id: string) {
  const { status, body } = await call(server, curves.commit, { params: { id } }, admin)
  expect([status, body.status]).toEqual([200, 'storing'])
  return waitUntilSettled(id, 'storing')
}
const meter = (more: Partial<Parameters<typeof makeMeter>[1]> = {}) =>
  makeMeter(server.db, { companyId: admin.companyId, ...more })
const daysOf = async (id: string) =>
  (await loadCurves(server.db, admin.companyId, [id], '2026-01-01', '2027-01-01')).get(id) ?? []

describe('a file, from upload to storage', () => {
  test('R63: is previewed, stored once, and brings nothing new the second time', async () => {
    const { id: operationId } = await makeOperation(server.db, { companyId: admin.companyId })
    const point = await meter({ operationId })
    const text = r63(point.prm, '2026-03-10', (n) => n * 10)
    const ready = await prepare(text, '../dossier/R63 mars.csv')
    expect(ready).toMatchObject({
      name: 'R63 mars.csv',
      status: 'ready',
      progress: 100,
      detected: { format: 'r63', unit: 'W', stamp: 'end', steps: [30], from: '2026-03-10', to: '2026-03-11' },
      series: [
        { prm: point.prm, pointId: point.id, direction: 'consumption', days: 1, newDays: 1, readings: 48, missing: 0 },
      ],
      problems: [],
    })
    expect(await daysOf(point.id)).toEqual([])
    const done = await commit(ready.id)
    expect(done).toMatchObject({ status: 'done', message: '1 journée ajoutée.' })
    expect(done.finishedAt).not.toBeNull()
    const [day] = await daysOf(point.id)
    expect([...(day?.watts.slice(0, 3) ?? [])]).toEqual([0, 10, 20])
    const hash = () => loadCurveHash(server.db, admin.companyId, [point.id], '2026-01-01', '2027-01-01')
    const before = await hash()
    const again = await prepare(text)
    expect(again.series).toMatchObject([{ newDays: 0, changedDays: 0, sameDays: 1 }])
    expect((await commit(again.id)).message).toBe('Rien de nouveau\u00a0: ces relevés étaient déjà enregistrés.')
    expect(await hash()).toBe(before)
    await waitForJobs(server)
    const { rows } = await server.db.execute(sql`select title from notifications where user_id = ${admin.id}`)
    expect(rows.length).toBeGreaterThan(0)
  })

  test('reports an unknown PRM of a wide table and stores the others', async () => {
    const point = await meter()
    const file = buildWideFile([point.prm, '99999999999999'], '2026-10-25', (n) => `${n};5`)
    const ready = await prepare(file)
    expect(ready).toMatchObject({ status: 'ready', counts: { 'unknown-point': 1 }, detected: { format: 'wide' } })
    expect(ready.problems[0]).toMatchObject({ code: 'unknown-point', severity: 'error', prm: '99999999999999' })
    expect(ready.series).toMatchObject([
      { pointId: point.id, readings: 100 },
      { pointId: null, newDays: 0 },
    ])
    expect((await commit(ready.id)).status).toBe('done')
    expect((await daysOf(point.id))[0]?.watts).toHaveLength(100)
  })

  test('reports values impossible for the connection and leaves them missing', async () => {
    const point = await meter({ subscribedVa: 9000 })
    const plant = await meter({ direction: 'production', peakWatts: 3000 })
    const file = buildWideFile(
      [point.prm, plant.prm],
      '2026-03-11',
      (n) => `${n === 4 ? 10_801 : 10_800};${n === 5 ? 3601 : 3600}`,
    )
    const ready = await prepare(file)
    expect(ready.counts.impossible).toBe(2)
    expect(ready.problems.map(({ line }: { line: number }) => line)).toEqual([6, 7])
    expect(ready.problems[0].message).toMatch(/^Le 11\/03\/2026 à 01:00, PRM .*10\s801\sW dépasse.*9\skVA/)
    expect(ready.series).toMatchObject([
      { readings: 95, missing: 1 },
      { direction: 'production', readings: 95 },
    ])
    await commit(ready.id)
    const [day] = await daysOf(point.id)
    expect([...(day?.watts.slice(3, 6) ?? [])]).toEqual([10_800, -1, 10_800])
  })

  test('counts more than 500 problems and keeps only some', async () => {
    const point = await meter({ subscribedVa: 1 })
    const year = Array.from({ length: 12 }, (_, n) => addDays('2026-03-01', n)).flatMap((day) =>
      r63(point.prm, day, () => 500)
        .split('\n')
        .slice(1, -1),
    )
    const many = await prepare(`${[R63, ...year].join('\n')}\n`)
    expect([many.counts.impossible, many.problems.length]).toEqual([576, 500])
  })

  test('asks for the direction of a point known in both, and is read again with it', async () => {
    const point = await meter()
    const plant = await meter({ prm: point.prm, direction: 'production', peakWatts: 9000 })
    const ready = await prepare(
      buildWideFile([point.prm], '2026-03-12', () => '7'),
      `${point.prm}.csv`,
    )
    expect(ready.problems[0].message).toContain('choisissez le sens')
    const refused = await call(server, curves.commit, { params: { id: ready.id } }, admin)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    const chosen = await call(
      server,
      curves.choose,
      { params: { id: ready.id }, body: { direction: 'production' } },
      admin,
    )
    expect(chosen.body).toMatchObject({ status: 'reading', choices: { direction: 'production' } })
    const again = await waitUntilSettled(ready.id, 'reading')
    expect(again.series).toMatchObject([{ pointId: plant.id, direction: 'production', newDays: 1 }])
  })

  test('keeps the direction that the file names', async () => {
    const point = await meter()
    const ready = await prepare(r63(point.prm, '2026-03-10', () => 1, 'PROD'))
    expect(ready.problems[0].message).toContain('connu en soutirage, et non en injection')
  })
})

describe('refused import', () => {
  test('of another kind of file, with what was expected', async () => {
    const refused = await prepare('%PDF-1.7 rien à lire ici\n', 'facture.pdf')
    expect(refused.status).toBe('refused')
    expect(refused.message).toMatch(/PDF/)
    const { status, body } = await call(server, curves.commit, { params: { id: refused.id } }, admin)
    expect([status, body.code]).toEqual([409, 'invalid-transition'])
  })

  test('of an empty file, or of none', async () => {
    expect((await upload('')).status).toBeGreaterThanOrEqual(400)
    const none = await call(server, curves.upload, { query: { name: 'x.csv' } }, admin)
    expect(none.body.code).toBe('file-expected')
  })

  test('of a second commit at once: one is stored, the other is told', async () => {
    const point = await meter()
    const ready = await prepare(r63(point.prm, '2026-03-10', () => 5))
    const both = await Promise.all([1, 2].map(() => call(server, curves.commit, { params: { id: ready.id } }, admin)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const done = await waitUntilSettled(ready.id, 'storing')
    expect(done.status).toBe('done')
    const late = await call(server, curves.commit, { params: { id: ready.id } }, admin)
    expect(late.body).toMatchObject({ code: 'invalid-transition', message: 'Ce fichier est déjà enregistré.' })
    expect(await daysOf(point.id)).toHaveLength(1)
  })

  test('when abandoned it is not stored, and when stored not abandoned', async () => {
    const point = await meter()
    const ready = await prepare(r63(point.prm, '2026-03-10', () => 5))
    expect((await call(server, curves.abandon, { params: { id: ready.id } }, admin)).body).toEqual({ success: true })
    expect((await get(ready.id)).status).toBe('abandoned')
    expect((await call(server, curves.commit, { params: { id: ready.id } }, admin)).status).toBe(409)
    const other = await prepare(r63(point.prm, '2026-03-10', () => 5))
    await commit(other.id)
    expect((await call(server, curves.abandon, { params: { id: other.id } }, admin)).status).toBe(409)
  })

  test('is unknown to another company, as are its points', async () => {
    const point = await meter()
    const ready = await prepare(r63(point.prm, '2026-03-10', () => 5))
    const stranger = await makeUser(server.db)
    expect((await call(server, curves.getImport, { params: { id: ready.id } }, stranger)).status).toBe(404)
    const { body } = await upload(
      r63(point.prm, '2026-03-10', () => 5),
      'courbes.csv',
      stranger.token,
    )
    const theirs = await waitUntil(async () => {
      const answer = await call(server, curves.getImport, { params: { id: body.id } }, stranger)
      return answer.body.status !== 'reading' && answer.body
    })
    expect(theirs.series).toMatchObject([{ pointId: null }])
    expect((await call(server, curves.imports, {}, stranger)).body.total).toBe(1)
  })
})

describe('jobs that run twice', () => {
  test('store once', async () => {
    const point = await meter()
    const ready = await prepare(r63(point.prm, '2026-03-10', (n) => n))
    await server.db.execute(sql`update curve_imports set status = 'storing' where id = ${ready.id}`)
    const job = { companyId: admin.companyId, importId: ready.id }
    await Promise.all([storeImport(server.deps, job), storeImport(server.deps, job), storeImport(server.deps, job)])
    await storeImport(server.deps, job)
    const [day, ...more] = await daysOf(point.id)
    expect([day?.version, more]).toEqual([1, []])
    expect((await get(ready.id)).message).toBe('1 journée ajoutée.')
  })

  test('store nothing for a user who lost the right since', async () => {
    const point = await meter()
    const ready = await prepare(r63(point.prm, '2026-03-11', (n) => n))
    await server.db.execute(sql`update curve_imports set status = 'storing' where id = ${ready.id}`)
    const { companyId } = admin
    const { id: userId } = await makeUser(server.db, { companyId, role: 'reader' })
    await storeImport(server.deps, { companyId, importId: ready.id, userId })
    expect(await get(ready.id)).toMatchObject({ status: 'refused', message: expect.stringContaining('plus le droit') })
    // Nor for a revoked API key, even when its owner still has the right.
    await server.db.execute(sql`update curve_imports set status = 'storing', message = '' where id = ${ready.id}`)
    await storeImport(server.deps, { companyId, importId: ready.id, userId: admin.id, keyId: crypto.randomUUID() })
    expect(await get(ready.id)).toMatchObject({ status: 'refused', message: expect.stringContaining('plus le droit') })
    expect(await daysOf(point.id)).toEqual([])
  })

  test('ignore a late reading after a newer choice', async () => {
    const point = await meter()
    const ready = await prepare(buildWideFile([point.prm], '2026-03-12', () => '7').replace(' (W)', ''))
    const body = { unit: 'kW' as const }
    await call(server, curves.choose, { params: { id: ready.id }, body }, admin)
    await enqueue(server.db, 'curves.read', { companyId: admin.companyId, importId: ready.id })
    const again = await waitUntilSettled(ready.id, 'reading')
    expect(again).toMatchObject({ choices: body, detected: { unit: 'kW' } })
  })
})

test('lists imports with search, filter and pages, without details', async () => {
  const person = await makeUser(server.db)
  for (const name of ['Été.csv', 'hiver.csv', 'printemps.csv']) await upload('rien', name, person.token)
  await waitUntil(async () => {
    const { body } = await call(server, curves.imports, { query: { status: 'refused' } }, person)
    return body.total === 3
  })
  const { body } = await call(server, curves.imports, { query: { q: 'ete' } }, person)
  expect(body).toMatchObject({ total: 1, items: [{ name: 'Été.csv', status: 'refused' }] })
  expect(body.items[0]).not.toHaveProperty('problems')
  expect(body.items[0].createdBy).toContain('Camille')
})
