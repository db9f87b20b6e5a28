import { connections as endpoints } from '@voisol/contract/connections'
import { listenWeatherSimulator, WeatherTroubles } from '@voisol/simulator/weather/weather-api'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { operations, weatherRuns } from '../../../db/schema/index.ts'
import { LOCAL_SIMULATOR } from '../../../integrations/connections/weather.ts'
import { runConnection } from './run-connection.ts'

const server = useServer()
let provider: Awaited<ReturnType<typeof listenWeatherSimulator>>
beforeAll(async () => {
  provider = await listenWeatherSimulator('127.0.0.1', 0)
  server.deps.weather.local = provider.url
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.state.troubles = WeatherTroubles.parse({})
})

/** Creates a company with operations in `places` different places, and runs the weather connection. */
async function makeOperationsAtPlaces(places: number) {
  const owner = await makeUser(server.db)
  const { companyId } = owner
  for (let at = 0; at < places; at++) {
    const { id } = await makeOperation(server.db, { companyId })
    await server.db
      .update(operations)
      .set({ latitude: 44 + at, longitude: 2 })
      .where(eq(operations.id, id))
  }
  const body = { kind: 'weather', name: 'Météo', settings: { baseUrl: LOCAL_SIMULATOR } }
  const { id } = (await call(server, endpoints.create, { body }, owner)).body
  const run = async (answers: number[] = []) => {
    provider.state.troubles = WeatherTroubles.parse({ answers })
    provider.state.calls = []
    await runConnection(server.deps, { companyId, id, askedBy: 'essai' })
    const kept = await server.db.select().from(weatherRuns).where(eq(weatherRuns.companyId, companyId))
    const [last] = (await call(server, endpoints.runs, { params: { id } }, owner)).body.items
    return { calls: provider.state.calls.length, kept: kept.length, last }
  }
  return { run }
}
const TRIES = 3
const down = (places: number, status = 500) => Array.from({ length: places * TRIES }, () => status)

test('stops after three places in a row without an answer, and keeps the forecasts already received', async () => {
  const { run } = await makeOperationsAtPlaces(6)
  const { calls, kept, last } = await run([0, ...down(3)])
  expect([calls, kept]).toEqual([1 + 3 * TRIES, 1])
  expect(last).toMatchObject({ state: 'failed', failure: expect.stringContaining('a répondu 500') })
  expect(await run()).toMatchObject({ calls: 5, kept: 6, last: { state: 'done', files: 5 } })
  expect(await run()).toMatchObject({ calls: 0, kept: 6, last: { state: 'done', files: 0 } })
})

test('an answer resets the count of failures, and the run reports the missing place', async () => {
  const { run } = await makeOperationsAtPlaces(5)
  const { calls, kept, last } = await run([...down(2), 0, ...down(2)])
  expect([calls, kept]).toEqual([4 * TRIES + 1, 1])
  expect(last.failure).toMatch(/^Un lieu au moins est resté sans prévision\./)
})

test('calls the provider only once when it refuses the key', async () => {
  const { run } = await makeOperationsAtPlaces(3)
  expect(await run([401])).toMatchObject({ calls: 1, kept: 0, last: { state: 'failed' } })
})
