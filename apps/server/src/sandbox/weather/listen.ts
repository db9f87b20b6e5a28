import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { forecastOf } from '../../world/weather-run.ts'
import { type Answer, json } from '../answers.ts'
import { send } from '../serve.ts'
import { Troubles } from './troubles.ts'

const OWN = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const MOST_BODY = 10_000

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) {
    body += part
    if (body.length > MOST_BODY) throw new Error('the body is too long')
  }
  return body
}

type State = { troubles: Troubles; calls: string[] }

async function control(state: State, request: IncomingMessage, name: string): Promise<Answer> {
  if (!OWN.has(request.socket.remoteAddress ?? '')) return json({ message: 'not from here' }, 403)
  if (request.method === 'GET' && name === 'state') return json(state)
  if (request.method !== 'PUT' || name !== 'troubles') return json({ message: 'unknown' }, 404)
  const read = Troubles.safeParse(JSON.parse(await readBody(request)))
  if (!read.success) return json({ message: 'bad troubles' }, 400)
  state.troubles = read.data
  state.calls = []
  return json({ done: true })
}

async function answer(state: State, request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://weather')
  if (pathname.startsWith('/_sandbox/')) return control(state, request, pathname.slice('/_sandbox/'.length))
  if (pathname !== '/v1/forecast') return json({ error: true, reason: 'Not Found' }, 404)
  const { troubles } = state
  state.calls.push(`${query.get('latitude')} ${query.get('longitude')}`)
  if (troubles.slowMs) await sleep(troubles.slowMs)
  const status = troubles.answers.shift()
  if (status) return json({ error: true, reason: 'trouble' }, status)
  if (troubles.html) return { status: 200, body: '<!doctype html><title>Maintenance</title>', html: true }
  const [latitude, longitude] = [Number(query.get('latitude')), Number(query.get('longitude'))]
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180))
    return json({ error: true, reason: 'Latitude must be in range of -90 to 90°.' }, 400)
  const days = Math.min(16, Math.max(1, Number(query.get('forecast_days') ?? 7)))
  const hourly = (query.get('hourly') ?? '').split(',').filter(Boolean)
  return json(forecastOf({ latitude, longitude, days, now: new Date(), hourly }, troubles))
}

/** A provider of weather, in the shape of Open-Meteo. */
export async function listenWeather(host: string, port: number) {
  const state: State = { troubles: Troubles.parse({}), calls: [] }
  const server = createServer((request, response) => {
    answer(state, request).then(
      (said) => send(response, said),
      (error: unknown) => send(response, json({ error: true, reason: String(error) }, 500)),
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
