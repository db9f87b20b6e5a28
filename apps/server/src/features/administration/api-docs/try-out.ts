import type { FastifyInstance } from 'fastify'
import { sessions } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { newToken, sha256 } from '../../../secrets.ts'
import { demoCompany, firstAdmin } from '../demo/demo.ts'
import { addressOf, isTryable } from './docs.ts'
import { shownEndpoints } from './shown.ts'

const LONGEST = 20_000
const AT_ONCE = 3

const notHere = () => new AppError('not-found', { message: 'Il n’y a pas de démonstration sur cette installation.' })

/** The call with its address; what the path needs is taken out of the query. */
function callOf(id: string, sent: Record<string, string>) {
  const found = shownEndpoints.find((shown) => shown.id === id && isTryable(shown.endpoint))
  if (!found)
    throw fieldError(
      'id',
      'Cet appel ne peut pas être essayé\u00a0: choisissez un appel de lecture de la documentation.',
    )
  const query = { ...sent }
  const params: Record<string, string> = {}
  for (const name of Object.keys(found.endpoint.params?.shape ?? {})) {
    const value = query[name]
    if (!value)
      throw fieldError(
        `query.${name}`,
        `Indiquez «\u00a0${name}\u00a0»\u00a0: reprenez celui que rend l’appel qui liste les éléments.`,
      )
    params[name] = value
    delete query[name]
  }
  return addressOf(found.endpoint, params, query)
}

function shown(text: string, contentType: string): string {
  const whole = contentType.includes('json') && text ? JSON.stringify(JSON.parse(text), null, 2) : text
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}\n… (réponse coupée à 20 ko)` : whole
}

/** Calls made in the name of the demonstration's administrator; the session's token stays in this process. */
export function demoCaller(app: FastifyInstance) {
  let token: string | undefined
  let running = 0

  async function open(): Promise<string> {
    const { aside } = app.deps
    const companyId = await demoCompany(aside)
    if (companyId === undefined) throw notHere()
    const { userId } = await firstAdmin(aside, companyId).catch(() => {
      throw notHere()
    })
    const made = newToken()
    const hashes = { tokenHash: sha256(made), refreshHash: sha256(newToken()) }
    await aside.insert(sessions).values({ userId, companyId, ...hashes, ip: '127.0.0.1', userAgent: 'Documentation' })
    return made
  }

  async function read(url: string) {
    token ??= await open()
    const answer = await app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } })
    return answer
  }

  return async (id: string, query: Record<string, string>) => {
    const url = callOf(id, query)
    // Each holds a connection while its inner call needs another.
    if (running >= AT_ONCE) throw new AppError('throttled', { retryAfter: 1 })
    running++
    try {
      const from = performance.now()
      let answer = await read(url)
      if (answer.statusCode === 401) {
        token = undefined
        answer = await read(url)
      }
      const contentType = String(answer.headers['content-type'] ?? '')
      return {
        request: `GET ${url}`,
        status: answer.statusCode,
        milliseconds: Math.round((performance.now() - from) * 10) / 10,
        contentType,
        body: shown(answer.body, contentType),
      }
    } finally {
      running--
    }
  }
}
