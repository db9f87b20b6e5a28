import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { simulateForecast } from '../demo/simulated-forecast.ts'
import { type SimulatorResponse, toJsonResponse } from '../responses.ts'
import { sendResponse } from '../serve.ts'

const LOOPBACK_ADDRESSES = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const MAX_BODY_BYTES = 10_000

async function readRequestBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) {
    body += part
    if (body.length > MAX_BODY_BYTES) throw new Error('the body is too long')
  }
  return body
}

type WeatherSimulatorState = { troubles: WeatherTroubles; calls: string[] }

async function handleWeatherControl(
  state: WeatherSimulatorState,
  request: IncomingMessage,
  name: string,
): Promise<SimulatorResponse> {
  if (!LOOPBACK_ADDRESSES.has(request.socket.remoteAddress ?? ''))
    return toJsonResponse({ message: 'not from here' }, 403)
  if (request.method === 'GET' && name === 'state') return toJsonResponse(state)
  if (request.method !== 'PUT' || name !== 'troubles') return toJsonResponse({ message: 'unknown' }, 404)
  const read = WeatherTroubles.safeParse(JSON.parse(await readRequestBody(request)))
  if (!read.success) return toJsonResponse({ message: 'bad troubles' }, 400)
  state.troubles = read.data
  state.calls = []
  return toJsonResponse({ done: true })
}

async function answerWeather(state: WeatherSimulatorState, request: IncomingMessage): Promise<SimulatorResponse> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://weather')
  if (pathname.startsWith('/_sandbox/'))
    return handleWeatherControl(state, request, pathname.slice('/_sandbox/'.length))
  if (pathname !== '/v1/forecast') return toJsonResponse({ error: true, reason: 'Not Found' }, 404)
  const { troubles } = state
  state.calls.push(`${query.get('latitude')} ${query.get('longitude')}`)
  if (troubles.slowMs) await sleep(troubles.slowMs)
  const status = troubles.answers.shift()
  if (status) return toJsonResponse({ error: true, reason: 'trouble' }, status)
  if (troubles.html) return { status: 200, body: '<!doctype html><title>Maintenance</title>', html: true }
  const [latitude, longitude] = [Number(query.get('latitude')), Number(query.get('longitude'))]
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180))
    return toJsonResponse({ error: true, reason: 'Latitude must be in range of -90 to 90°.' }, 400)
  const days = Math.min(16, Math.max(1, Number(query.get('forecast_days') ?? 7)))
  const hourly = (query.get('hourly') ?? '').split(',').filter(Boolean)
  return toJsonResponse(simulateForecast({ latitude, longitude, days, now: new Date(), hourly }, troubles))
}

/** A weather provider, in the format of Open-Meteo. */
export async function listenWeatherSimulator(host: string, port: number) {
  const state: WeatherSimulatorState = { troubles: WeatherTroubles.parse({}), calls: [] }
  const server = createServer((request, response) => {
    answerWeather(state, request).then(
      (said) => sendResponse(response, said),
      (error: unknown) => sendResponse(response, toJsonResponse({ error: true, reason: String(error) }, 500)),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: at } = server.address() as AddressInfo // listening on TCP
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${at}`, state, close }
}

/** The faults in force. `answers` are the statuses of the next calls, in order. */
export const WeatherTroubles = z.strictObject({
  answers: z.array(z.int()).default([]),
  slowMs: z.int().min(0).max(60_000).default(0),
  nulls: z.boolean().default(false),
  missingHours: z.boolean().default(false),
  html: z.boolean().default(false),
})
export type WeatherTroubles = z.output<typeof WeatherTroubles>
