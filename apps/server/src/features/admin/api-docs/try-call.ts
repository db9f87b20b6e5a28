import type { FastifyInstance } from 'fastify'
import { sessions } from '../../../db/schema/index.ts'
import { isApiKeyToken } from '../../../http/api-key.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { generateToken, sha256 } from '../../../secrets.ts'
import { findDemoCompany, loadFirstAdmin } from '../demo/index.ts'
import { documentedEndpoints } from './call-examples.ts'
import { buildDocumentedCallUrl, isTryable } from './endpoint-docs.ts'

const MAX_BODY_CHARACTERS = 20_000
const MAX_CONCURRENT_TRY_OUTS = 3

const buildNoDemoError = () =>
  new AppError('not-found', { message: 'Il n’y a pas de démonstration sur cette installation.' })

/** Fills the path parameters and leaves the other parameters in the query string. */
function buildTryOutUrl(id: string, sent: Record<string, string>) {
  const found = documentedEndpoints.find((shown) => shown.id === id && isTryable(shown.endpoint))
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
  return buildDocumentedCallUrl(found.endpoint, params, query)
}

function formatResponseBody(text: string, contentType: string): string {
  const whole = contentType.includes('json') && text ? JSON.stringify(JSON.parse(text), null, 2) : text
  return whole.length > MAX_BODY_CHARACTERS
    ? `${whole.slice(0, MAX_BODY_CHARACTERS)}\n… (réponse coupée à 20 ko)`
    : whole
}

/** Calls the API as the administrator of the demo company; the session token never leaves this process. */
export function createDemoCaller(app: FastifyInstance) {
  let token: string | undefined
  let running = 0

  async function openDemoSession(): Promise<string> {
    const { aside } = app.deps
    const companyId = await findDemoCompany(aside)
    if (companyId === undefined) throw buildNoDemoError()
    const { userId } = await loadFirstAdmin(aside, companyId).catch(() => {
      throw buildNoDemoError()
    })
    const made = generateToken()
    const hashes = { tokenHash: sha256(made), refreshHash: sha256(generateToken()) }
    await aside
      .insert(sessions)
      .values({ userId, companyId, openedFor: companyId, ...hashes, ip: '127.0.0.1', userAgent: 'Documentation' })
    return made
  }

  /** Forwards the address of the reader, because a key may be restricted to some IP addresses. */
  const sendGet = (url: string, bearer: string, remoteAddress?: string) =>
    app.inject({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${bearer}` },
      ...(remoteAddress && { remoteAddress }),
    })

  async function sendAsDemoAdmin(url: string) {
    token ??= await openDemoSession()
    const answer = await sendGet(url, token)
    if (answer.statusCode !== 401) return answer
    token = await openDemoSession()
    return sendGet(url, token)
  }

  return async (id: string, query: Record<string, string>, own?: { key: string; ip: string }) => {
    const url = buildTryOutUrl(id, query)
    if (own && !isApiKeyToken(own.key))
      throw fieldError('key', 'Une clé d’API commence par «\u00a0vsl_\u00a0»\u00a0: copiez-la entière.')
    // Each try-out holds a database connection while its inner call needs another: without a limit the pool would
    // deadlock.
    if (running >= MAX_CONCURRENT_TRY_OUTS) throw new AppError('throttled', { retryAfter: 1 })
    running++
    try {
      const from = performance.now()
      const answer = await (own ? sendGet(url, own.key, own.ip) : sendAsDemoAdmin(url))
      const contentType = String(answer.headers['content-type'] ?? '')
      return {
        request: `GET ${url}`,
        status: answer.statusCode,
        milliseconds: Math.round((performance.now() - from) * 10) / 10,
        contentType,
        body: formatResponseBody(answer.body, contentType),
      }
    } finally {
      running--
    }
  }
}
