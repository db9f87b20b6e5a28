import type { FastifyInstance } from 'fastify'
import { sessions } from '../../../db/schema/index.ts'
import { isApiKey } from '../../../http/api-key.ts'
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
    await aside
      .insert(sessions)
      .values({ userId, companyId, openedFor: companyId, ...hashes, ip: '127.0.0.1', userAgent: 'Documentation' })
    return made
  }

  /** From where the call really comes: a key may be held to some addresses. */
  const ask = (url: string, bearer: string, remoteAddress?: string) =>
    app.inject({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${bearer}` },
      ...(remoteAddress && { remoteAddress }),
    })

  async function read(url: string) {
    token ??= await open()
    const answer = await ask(url, token)
    if (answer.statusCode !== 401) return answer
    token = await open()
    return ask(url, token)
  }

  return async (id: string, query: Record<string, string>, own?: { key: string; ip: string }) => {
    const url = callOf(id, query)
    if (own && !isApiKey(own.key))
      throw fieldError('key', 'Une clé d’API commence par «\u00a0vsl_\u00a0»\u00a0: copiez-la entière.')
    // Each holds a connection while its inner call needs another.
    if (running >= AT_ONCE) throw new AppError('throttled', { retryAfter: 1 })
    running++
    try {
      const from = performance.now()
      const answer = await (own ? ask(url, own.key, own.ip) : read(url))
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
