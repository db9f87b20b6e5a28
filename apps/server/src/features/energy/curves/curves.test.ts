import { curves } from '@voisol/contract/curves'
import { addDays, listDays } from '@voisol/energy/calendar'
import { parseCurveFile } from '@voisol/file-formats/parse-curve-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { buildCurveDay, makeMeter, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import type { PointDayReadings } from '../../../core/readings.ts'
import { readXlsx } from '../../../files/xlsx.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from './store-readings.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
})
const store = (rows: PointDayReadings[], hour = 8) =>
  storeReadingsAndNotify(server.db, admin.companyId, rows, {
    source: 'import',
    receivedAt: new Date(Date.UTC(2026, 5, 1, hour)),
  })
const operation = () => makeOperation(server.db, { companyId: admin.companyId })
const meter = (more: Partial<Parameters<typeof makeMeter>[1]> = {}) =>
  makeMeter(server.db, { companyId: admin.companyId, ...more })
const DAY = '2026-03-10'
const period = { from: DAY, to: addDays(DAY, 1) }

describe('completeness', () => {
  test('shows one letter per point and day, expected only within the participation', async () => {
    const { id: operationId } = await operation()
    const point = await meter({ operationId, startsOn: '2026-03-02', endsOn: '2026-03-08', label: 'Lot 12' })
    await store([
      buildCurveDay(point.id, '2026-03-01', 1),
      buildCurveDay(point.id, '2026-03-02', 1),
      buildCurveDay(point.id, '2026-03-03', (n) => (n ? 1 : -1)),
      { ...buildCurveDay(point.id, '2026-03-04', 1), quality: 3 },
      { ...buildCurveDay(point.id, '2026-03-05', 1), quality: 2 },
      buildCurveDay(point.id, '2026-03-06', 1),
    ])
    await store([buildCurveDay(point.id, '2026-03-06', (n) => (n === 8 ? 2 : 1))], 9)
    const query = { operationId, from: '2026-03-01', to: '2026-03-10' }
    const { body } = await call(server, curves.matrix, { query }, admin)
    expect(body).toMatchObject({ received: 4, expected: 6 })
    expect(body.rows).toMatchObject([
      {
        prm: point.prm,
        label: expect.stringMatching(/^Lot 12, Voisin \d+$/),
        cells: '-rpeccm--',
        received: 4,
        expected: 6,
      },
    ])
  })

  test('does not expect today’s readings', async () => {
    const { id: operationId } = await operation()
    await meter({ operationId })
    const query = { operationId, from: addDays(getToday(), -2), to: addDays(getToday(), 2) }
    const { body } = await call(server, curves.matrix, { query }, admin)
    expect(body.rows).toMatchObject([{ cells: 'mm--', expected: 2 }])
  })

  test('hides another company’s operation', async () => {
    const { id: operationId } = await operation()
    const stranger = await makeUser(server.db)
    expect((await call(server, curves.matrix, { query: { operationId, ...period } }, stranger)).status).toBe(404)
  })
})

describe('curve of a point', () => {
  test('is read at its finest step, with gaps, marks and sums', async () => {
    const point = await meter()
    await store([
      buildCurveDay(point.id, DAY, (n) => (n === 0 ? -1 : 100), 30),
      { ...buildCurveDay(point.id, addDays(DAY, 1), 40, 15), quality: 3 },
    ])
    const query = { from: DAY, to: addDays(DAY, 2) }
    const { body } = await call(server, curves.series, { params: { id: point.id }, query }, admin)
    expect(body).toMatchObject({ startsAt: '2026-03-09T23:00:00.000Z', step: 15, present: 190, expected: 192 })
    expect(body.watts.slice(0, 4)).toEqual([null, null, 100, 100])
    expect(body.marks.slice(0, 3)).toEqual([0, 0, 1])
    expect(body.marks[100]).toBe(3)
    expect(body.energyWh).toBe(47 * 50 + 24 * 40)
    expect(body.receivedUntil).toBe('2026-03-11T23:00:00.000Z')
  })

  test('is read as known at a moment, with all versions of a day', async () => {
    const point = await meter()
    await store([buildCurveDay(point.id, DAY, 1)], 8)
    await store([buildCurveDay(point.id, DAY, 2)], 10)
    const query = { ...period, knownAt: '2026-06-01T09:00:00Z' }
    const { body } = await call(server, curves.series, { params: { id: point.id }, query }, admin)
    expect(body.watts[0]).toBe(1)
    const { body: versions } = await call(server, curves.versions, { params: { id: point.id, day: DAY } }, admin)
    expect(versions.items).toMatchObject([
      { version: 2, energyWh: 48, supersededAt: null, marks: Array(96).fill(2) },
      { version: 1, energyWh: 24, supersededAt: '2026-06-01T10:00:00.000Z' },
    ])
  })

  test('shows a client their own points within their participation only', async () => {
    const { id: operationId } = await operation()
    const client = await makeUser(server.db, { companyId: admin.companyId, isAdmin: false })
    const own = await meter({ operationId, userId: client.id, startsOn: DAY, endsOn: addDays(DAY, 1) })
    const neighbour = await meter({ operationId })
    const days = listDays(addDays(DAY, -1), addDays(DAY, 2))
    await store([own, neighbour].flatMap(({ id }) => days.map((day) => buildCurveDay(id, day, 77))))
    const query = { from: addDays(DAY, -1), to: addDays(DAY, 2) }
    const { body } = await call(server, curves.series, { params: { id: own.id }, query }, client)
    expect(body).toMatchObject({ present: 96, expected: 96, receivedUntil: '2026-03-10T23:00:00.000Z' })
    expect(body.watts.filter((value: number | null) => value !== null)).toHaveLength(96)
    expect((await call(server, curves.series, { params: { id: neighbour.id }, query }, client)).status).toBe(404)
    const file = await call(server, curves.export, { query: { ...query, operationId, format: 'csv-data' } }, client)
    expect(file.text).toContain(own.prm)
    expect(file.text).not.toContain(neighbour.prm)
    expect(file.text.match(/;77\r/g)).toHaveLength(96)
    const others = await call(
      server,
      curves.export,
      { query: { ...query, points: `${own.id},${neighbour.id}` } },
      client,
    )
    expect(others.status).toBe(404)
  })

  test('refuses an invalid or too long period with a French message', async () => {
    const point = await meter()
    const ask = (from: string, to: string) =>
      call(server, curves.series, { params: { id: point.id }, query: { from, to } }, admin)
    expect((await ask(DAY, DAY)).body.message).toContain('après son début')
    expect((await ask('2020-01-01', '2026-01-01')).body.message).toContain('au plus 400')
  })
})

describe('exported files', () => {
  const AUTUMN = '2026-10-25'
  async function autumn() {
    const point = await meter()
    const plant = await meter({ prm: point.prm, direction: 'production' })
    const rows = [AUTUMN, '2026-10-26'].flatMap((day) => [
      buildCurveDay(point.id, day, (n) => (n === 2 ? -1 : 1000 + n)),
      buildCurveDay(plant.id, day, (n) => n, 30),
    ])
    await store(rows)
    return { points: `${point.id},${plant.id}`, prm: point.prm, rows }
  }
  const range = { from: AUTUMN, to: '2026-10-27' }

  test('données: are imported again without loss', async () => {
    const { points, rows } = await autumn()
    const { text, headers } = await call(
      server,
      curves.export,
      { query: { ...range, points, format: 'csv-data' } },
      admin,
    )
    expect(headers['content-type']).toContain('text/csv')
    expect(text).toContain('2026-10-25T02:00:00+02:00;')
    expect(text).toContain('2026-10-25T02:00:00+01:00;')
    const parsed = parseCurveFile('export.csv', Buffer.from(text))
    expect(parsed.detected).toMatchObject({ format: 'wide', unit: 'W', unitCertain: true, stamp: 'start' })
    expect(parsed.series.map(({ direction }) => direction)).toEqual(['consumption', 'production'])
    expect(
      await storeReadingsAndNotify(server.db, admin.companyId, again(parsed.series, points), meta()),
    ).toMatchObject({
      inserted: 0,
      changed: 0,
      same: rows.length,
    })
  })
  const meta = () => ({ source: 'import' as const, receivedAt: new Date() })
  const again = (series: ReturnType<typeof parseCurveFile>['series'], points: string): PointDayReadings[] =>
    series.flatMap(({ days }, n) =>
      days.map(({ quality, ...day }) => ({ ...day, pointId: points.split(',')[n] ?? '', marks: quality, quality: 1 })),
    )

  test('Excel: give kilowatts with a comma, local time, and distinguish the repeated hour', async () => {
    const { points, prm } = await autumn()
    const { text } = await call(server, curves.export, { query: { ...range, points, format: 'csv-excel' } }, admin)
    const lines = text.split('\r\n')
    expect(lines[0]).toBe(`\uFEFFDébut;Heure légale;${prm} consommation (kW);${prm} production (kW)`)
    expect(lines[1]).toBe('25/10/2026 00:00;été;1;0')
    expect(lines[2]).toBe('25/10/2026 00:15;été;1,001;0')
    expect(lines[3]).toBe('25/10/2026 00:30;été;;0,001')
    expect(lines.filter((line) => line.startsWith('25/10/2026 02:00'))).toEqual([
      '25/10/2026 02:00;été;1,008;0,004',
      '25/10/2026 02:00;hiver;1,012;0,006',
    ])
    expect(lines).toHaveLength(1 + 196 + 1)
  })

  test('give the same values as JSON and workbook', async () => {
    const { points, prm } = await autumn()
    const { body } = await call(server, curves.export, { query: { ...range, points, format: 'json' } }, admin)
    expect(body).toMatchObject({ stepMinutes: 15, unit: 'W', startsAt: '2026-10-24T22:00:00.000Z' })
    expect(body.points[0]).toMatchObject({ prm, direction: 'consumption' })
    expect(body.points[0].watts.slice(0, 4)).toEqual([1000, 1001, null, 1003])
    expect(body.points[1].watts).toHaveLength(196)
    const answer = await server.app.inject({
      url: '/api/curves/export',
      query: { ...range, points, format: 'xlsx' },
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const sheet = await readXlsx(answer.rawPayload)
    expect(sheet).toHaveLength(197)
    expect(sheet?.[2]?.slice(1)).toEqual(['été', '1.001', '0'])
  })

  test('refuse a workbook that is too large, with an alternative', async () => {
    const { id: operationId } = await operation()
    for (let n = 0; n < 51; n++) await meter({ operationId })
    const query = { from: '2025-01-01', to: '2026-01-01', operationId, format: 'xlsx' }
    const { status, body } = await call(server, curves.export, { query }, admin)
    expect([status, body.message]).toEqual([422, expect.stringContaining('50 points')])
    expect((await call(server, curves.export, { query: range }, admin)).body.message).toContain('Choisissez')
  })
})
