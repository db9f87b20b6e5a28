import { curves } from '@voisol/contract/curves'
import { addDays, dayStart, localTime } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeMeter } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { loadCurves } from './read-curves.ts'
import { storeReadingsAndNotify } from './store-readings.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
})

const pad = (n: number) => String(n).padStart(2, '0')
const clock = (minute: number) => {
  const { day, minuteOfDay } = localTime(minute)
  return `${day} ${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`
}
const quarters = (day: string) =>
  Array.from({ length: (dayStart(addDays(day, 1)) - dayStart(day)) / 15 }, (_, n) => clock(dayStart(day) + n * 15))
/** States neither its unit, nor its clock, nor which end of the interval its timestamps mark. */
const buildPlainFile = (prm: string, days: string[], cell: (n: number) => string) =>
  [`Horodate;${prm}`, ...days.flatMap((day) => quarters(day).map((stamp, n) => `${stamp};${cell(n)}`)), ''].join('\n')
const kwh = (n: number) => `0,0${37 + (n % 7)}`

const get = async (id: string) => (await call(server, curves.getImport, { params: { id } }, admin)).body
const waitUntilSettled = (id: string, away: string) =>
  waitUntil(async () => {
    const row = await get(id)
    return row.status !== away && row
  })
async function prepare(text: string, name = 'courbes.csv') {
  const { body } = await call(server, curves.upload, { query: { name }, upload: Buffer.from(text) }, admin)
  return waitUntilSettled(body.id, 'reading')
}
async function choose(id: string, body: Record<string, unknown>) {
  expect((await call(server, curves.choose, { params: { id }, body }, admin)).status).toBe(200)
  return waitUntilSettled(id, 'reading')
}
const commit = (id: string, body?: object) => call(server, curves.commit, { params: { id }, body }, admin)
const daysOf = async (id: string) =>
  (await loadCurves(server.db, admin.companyId, [id], '2020-01-01', '2030-01-01')).get(id) ?? []
const meter = (more: Partial<Parameters<typeof makeMeter>[1]> = {}) =>
  makeMeter(server.db, { companyId: admin.companyId, ...more })
const put = (pointId: string, day: string, watts: number, quality: 1 | 3 = 1) =>
  storeReadingsAndNotify(
    server.db,
    admin.companyId,
    [{ pointId, day, step: 15, watts: new Int32Array(quarters(day).length).fill(watts), marks: null, quality }],
    { source: 'enedis', receivedAt: new Date('2026-05-01T08:00:00Z') },
  )
const ALL = { unit: 'kWh', stamp: 'start', zone: 'Europe/Paris' }

describe('guessed file format', () => {
  test('stores nothing before every answer, and refuses with the choices', async () => {
    const point = await meter()
    const ready = await prepare(buildPlainFile(point.prm, ['2026-04-14'], kwh))
    const refused = await commit(ready.id)
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid'])
    expect(refused.body.issues.map(({ path }: { path: string }) => path)).toEqual(['unit', 'stamp', 'zone'])
    expect(refused.body.message).toMatch(/l’unité.*en kW \(kW, 0,959\skWh\).*en kWh \(kWh, 3,835\skWh\)/)
    expect(refused.body.message).toMatch(/début du pas \(start\).*heure de Paris \(Europe\/Paris\)/)
    expect((await get(ready.id)).status).toBe('ready')
    const half = await choose(ready.id, { unit: 'kWh', stamp: 'start' })
    expect((await commit(half.id)).body.issues).toMatchObject([{ path: 'zone' }])
    expect(await daysOf(point.id)).toEqual([])
    const whole = await choose(ready.id, ALL)
    expect(whole.asked.questions).toEqual([])
    expect((await commit(whole.id)).status).toBe(200)
    expect((await waitUntilSettled(ready.id, 'storing')).status).toBe('done')
    expect((await daysOf(point.id))[0]?.watts[0]).toBe(148)
  })

  test('shows stored values, the index and the connection power beside each reading', async () => {
    const point = await meter({ subscribedVa: 6000 })
    await put(point.id, '2025-04-14', 151)
    await put(point.id, '2026-03-20', 143)
    await server.db.execute(sql`insert into distributor_energies (company_id, point_id, day, wh, received_at)
      values (${admin.companyId}, ${point.id}, '2026-04-14', 3811, now())`)
    const { asked } = await prepare(buildPlainFile(point.prm, ['2026-04-14'], (n) => `${37 + (n % 7)}`))
    expect(asked.known).toMatchObject([{ prm: point.prm, direction: 'consumption', limitWatts: 6000 }])
    expect(asked.known[0].periods).toEqual([
      { kind: 'year-before', from: '2025-04-14', to: '2025-04-15', days: 1, energyWh: 3624 },
      { kind: 'month', from: '2026-03-01', to: '2026-04-01', days: 1, energyWh: 3432 },
      { kind: 'index', from: '2026-04-14', to: '2026-04-15', days: 1, energyWh: 3811 },
    ])
    const [unit] = asked.questions
    expect(
      unit.candidates.map((one: { value: string; points: { tooHigh: boolean }[] }) => [
        one.value,
        one.points[0]?.tooHigh,
      ]),
    ).toEqual([
      ['W', false],
      ['kW', true],
      ['Wh', false],
      ['kWh', true],
    ])
    expect(unit.candidates[2]).toMatchObject({ label: 'en Wh', energyWh: 3835, lost: 0, readings: 96 })
  })

  test('stores no guess, not even from a queued job', async () => {
    const point = await meter()
    const ready = await prepare(buildPlainFile(point.prm, ['2026-04-14'], kwh))
    await server.db.execute(sql`update curve_imports set status = 'storing',
      detected = detected || '{"unitCertain":true,"stampCertain":true,"zoneCertain":true}' where id = ${ready.id}`)
    expect((await commit(ready.id)).status).toBe(200)
    const again = await waitUntilSettled(ready.id, 'storing')
    expect(again).toMatchObject({ status: 'ready', detected: { unitCertain: false } })
    expect(await daysOf(point.id)).toEqual([])
  })
})

describe('measured values', () => {
  const fill = (prm: string, days: string[], value: string) => buildPlainFile(prm, days, () => value)
  const W = { ...ALL, unit: 'W' }

  test('change only with consent, after days and energies are shown', async () => {
    const point = await meter()
    for (const day of ['2026-04-14', '2026-04-15']) await put(point.id, day, 143)
    const { id } = await prepare(fill(point.prm, ['2026-04-14', '2026-04-15', '2026-04-16'], '153'))
    const ready = await choose(id, W)
    expect(ready.series).toMatchObject([
      { newDays: 1, changedDays: 2, overwrittenDays: 2, overwrittenBeforeWh: 6864, overwrittenAfterWh: 7344 },
    ])
    const refused = await commit(id)
    expect([refused.status, refused.body.issues[0].path]).toEqual([422, 'overwrite'])
    expect(refused.body.message).toMatch(/^2 journées déjà enregistrées.*6,864\skWh deviendraient 7,344\skWh/)
    expect((await commit(id, { overwrite: false })).status).toBe(422)
    expect((await commit(id, { overwrite: true })).status).toBe(200)
    expect((await waitUntilSettled(id, 'storing')).status).toBe('done')
    expect((await daysOf(point.id)).map(({ watts }) => watts[0])).toEqual([153, 153, 153])
  })

  test('need no consent when missing, estimated or equal', async () => {
    const point = await meter()
    await put(point.id, '2026-04-14', 143, 3)
    await put(point.id, '2026-04-15', 153)
    const { id } = await prepare(fill(point.prm, ['2026-04-14', '2026-04-15'], '153'))
    const ready = await choose(id, W)
    expect(ready.series).toMatchObject([{ changedDays: 1, sameDays: 1, overwrittenDays: 0 }])
    expect((await commit(id)).status).toBe(200)
    await waitUntilSettled(id, 'storing')
  })

  test('stored since the preview require another review', async () => {
    const point = await meter()
    const { id } = await prepare(fill(point.prm, ['2026-04-14'], '153'))
    await choose(id, W)
    await put(point.id, '2026-04-14', 143)
    expect((await commit(id)).status).toBe(200)
    const again = await waitUntilSettled(id, 'storing')
    expect(again).toMatchObject({ status: 'ready', series: [{ overwrittenDays: 1 }] })
    expect(again.message).toContain('ont changé depuis cet aperçu')
    expect((await daysOf(point.id))[0]?.watts[0]).toBe(143)
  })

  test('are corrected by distributor flows without consent', async () => {
    const point = await meter()
    await put(point.id, '2026-04-14', 143)
    const head =
      'Identifiant PRM;Date de début;Date de fin;Grandeur physique;Grandeur métier;Etape métier;Unité;Horodate;Valeur;Nature;Pas'
    const row = `${point.prm};2026-04-14 00:00:00;2026-04-15 00:00:00;PA;CONS;BEST;W;2026-04-14 00:15:00;157;C;PT15M`
    const ready = await prepare(`${head}\n${row}\n`)
    expect(ready.series).toMatchObject([{ changedDays: 1, overwrittenDays: 0 }])
    expect((await commit(ready.id)).status).toBe(200)
    await waitUntilSettled(ready.id, 'storing')
    expect((await daysOf(point.id))[0]?.watts.slice(0, 2)).toEqual(Int32Array.of(157, 143))
  })
})
