import { listenWeatherSimulator, WeatherTroubles } from '@voisol/simulator/weather/weather-api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOutboundClient } from '../post/outbound-client.ts'
import { fetchWeatherForecast, LOCAL_SIMULATOR, parseWeatherForecast, weatherConnector } from './weather.ts'

let provider: Awaited<ReturnType<typeof listenWeatherSimulator>>
beforeAll(async () => {
  provider = await listenWeatherSimulator('127.0.0.1', 0)
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.state.troubles = WeatherTroubles.parse({})
  provider.state.calls = []
})
const LYON = { latitude: 45.8, longitude: 4.8 }
const ask = () =>
  fetchWeatherForecast(
    { outside: createOutboundClient(), weather: { local: provider.url } },
    { baseUrl: LOCAL_SIMULATOR },
    LYON,
  )

const answer = (hourly: object) => JSON.stringify({ hourly })
const T = 1_779_000_000 - (1_779_000_000 % 3600)

test('hour-before values are shifted, snow is in centimetres, a missing hour is empty', () => {
  const { hours, values } = parseWeatherForecast(
    answer({
      time: [T, T + 3600, T + 3 * 3600],
      shortwave_radiation: [11.5, 210, 430],
      precipitation: [0.2, null, 1.4],
      temperature_2m: [7.3, 8.1, 9.9],
      snow_depth: [0.03, 0.07, null],
    }),
  )
  expect(hours).toBe(3)
  expect(values).toMatchObject({
    from: new Date((T - 3600) * 1000).toISOString(),
    radiation: [11.5, 210, null, 430],
    precipitation: [0.2, null, null, 1.4],
    temperature: [null, 7.3, 8.1, null],
    snow: [null, 3, 7, null],
    wind: [null, null, null, null],
  })
})

test.each([
  'non',
  '{}',
  answer({ time: [T + 1, T + 3601] }),
  answer({ time: [T, T + 3600], temperature_2m: ['a'] }),
  answer({ time: [T, T + 3600 * 9999], temperature_2m: [1, 2] }),
])('%s is refused as a forecast', (text) => {
  expect(() => parseWeatherForecast(text)).toThrow('autre chose qu’une prévision')
})

test('an answer without a value is refused', () => {
  expect(() => parseWeatherForecast(answer({ time: [T, T + 3600], temperature_2m: [null, null] }))).toThrow(
    'aucune valeur',
  )
})

test('gives eight days by the hour, without light at night and with light by day', async () => {
  const { hours, values } = await ask()
  expect(hours).toBe(192)
  const light = values.radiation.filter((value) => value !== null)
  expect([Math.min(...light), Math.max(...light) > 50]).toEqual([0, true])
})

test('a temporary failure is retried, a refusal is not', async () => {
  provider.state.troubles.answers = [500, 429]
  expect((await ask()).hours).toBe(192)
  expect(provider.state.calls).toHaveLength(3)
  provider.state.troubles.answers = [403]
  await expect(ask()).rejects.toMatchObject({ message: expect.stringContaining('refuse cette clé'), hopeless: true })
  expect(provider.state.calls).toHaveLength(4)
  provider.state.troubles.answers = [500, 500, 500]
  await expect(ask()).rejects.toMatchObject({ message: expect.stringContaining('a répondu 500'), hopeless: false })
})

test('empty values and missing hours stay gaps; an HTML page is refused', async () => {
  provider.state.troubles = WeatherTroubles.parse({ nulls: true, missingHours: true })
  const { hours, values } = await ask()
  expect(hours).toBeLessThan(192)
  expect(values.temperature.filter((value) => value === null).length).toBeGreaterThan(40)
  provider.state.troubles = WeatherTroubles.parse({ html: true })
  await expect(ask()).rejects.toThrow('une page HTML')
})

test('the simulator is offered only where one runs', () => {
  const refusals = (local: string | null) =>
    weatherConnector.refusals({ outside: createOutboundClient(), weather: { local } }, { baseUrl: LOCAL_SIMULATOR })
  expect(refusals('http://127.0.0.1:4030')).toEqual([])
  expect(refusals(null)).toHaveLength(1)
})
