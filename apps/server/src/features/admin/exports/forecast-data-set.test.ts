import { addDays } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeIssuedForecast } from '../../../../test/factories-analytics.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import type { Actor } from '../../../http/actor.ts'
import type { ColumnTable, DataSetQuery } from './data-set.ts'
import { forecastSource } from './forecast-data-set.ts'

const server = useServer()
const FIRST = '2026-05-04'

async function makeForecasts(days: number) {
  const { companyId } = await makeUser(server.db)
  const [mine, other] = [
    await makeOperation(server.db, { companyId }),
    await makeOperation(server.db, { companyId, name: 'Ailleurs' }),
  ]
  const middle = (hour: number) => (hour % 24 === 5 ? -1 : 1000 + hour)
  for (let day = 0; day < days; day++)
    await makeIssuedForecast(server, {
      companyId,
      operationId: mine.id,
      issuedOn: addDays(FIRST, day),
      middle,
      spread: 0,
    })
  await makeIssuedForecast(server, { companyId, operationId: other.id, issuedOn: FIRST, middle: 7 })
  const actor = { companyId, operationIds: null } as unknown as Actor // only the fields that the query reads
  const asking = { db: server.db, actor, from: FIRST, to: addDays(FIRST, 90), operationId: null, participantId: null }
  return { asking, mine, other }
}

async function rowsOf(asking: DataSetQuery, after = '') {
  const rows: Record<string, unknown>[] = []
  const cursors: string[] = []
  for await (const { cursor, data } of forecastSource.read(asking, after)) {
    cursors.push(cursor)
    const { columns, size } = data as ColumnTable // this data set is a table
    for (let at = 0; at < size; at++)
      rows.push(Object.fromEntries(forecastSource.columns.map(({ name }, i) => [name, columns[i]?.[at] ?? null])))
  }
  return { rows, cursors }
}

test('exports each hour as it was issued, with empty cells for missing values', async () => {
  const { asking, mine } = await makeForecasts(2)
  const own = { ...asking, operationId: mine.id }
  const { rows } = await rowsOf(own)
  expect(rows).toHaveLength(2 * 168)
  expect(await forecastSource.count(own)).toBe(2 * 168)
  expect(rows[0]).toMatchObject({
    operation_id: mine.id,
    prm: null,
    kind: 'production',
    issued_on: FIRST,
    at: Date.parse('2026-05-03T22:00Z'),
    step_minutes: 60,
    median_watts: 1000,
  })
  expect(rows[5]).toMatchObject({ low_watts: null, median_watts: null, high_watts: null })
})

test('filters by day, operation and the user’s scope, and resumes from a cursor', async () => {
  const { asking, mine, other } = await makeForecasts(60)
  expect((await rowsOf({ ...asking, from: addDays(FIRST, 1), to: addDays(FIRST, 3) })).rows).toHaveLength(2 * 168)
  const limited = { ...asking, actor: { ...asking.actor, operationIds: [other.id] } as unknown as Actor } // the same
  expect(new Set((await rowsOf(limited)).rows.map((row) => row.operation_id))).toEqual(new Set([other.id]))
  const own = { ...asking, operationId: mine.id }
  const { rows, cursors } = await rowsOf(own)
  expect(cursors.length).toBeGreaterThan(2)
  expect((await rowsOf(own, cursors[0])).rows).toEqual(rows.slice(25 * 168))
})
