import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ssoConnections } from '../../../db/schema/index.ts'
import { getClientNetwork, getRequestOrigin } from '../../../http/client-address.ts'
import { AppError } from '../../../http/errors.ts'
import { throttle } from '../../../http/throttle.ts'
import type { SsoIdentity } from './identity.ts'
import { verifyOidcAnswer } from './oidc.ts'
import { buildServiceMetadata, verifySamlAnswer } from './saml.ts'
import { requireProvedDomain } from './sso-account.ts'
import {
  findSsoConnection,
  getServiceUrls,
  type SsoConnectionRow,
  SsoRefusal,
  throwSsoRefusal,
} from './sso-connection.ts'
import { recordSsoRefusal } from './sso-journal.ts'
import { consumeAssertion, consumeState, openLoginState, type SsoAttempt, storeOutcome } from './sso-sign-in.ts'

const MAX_ANSWERS_PER_WINDOW = 1200
const ANSWER_WINDOW_SECONDS = 15 * 60
const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The connection that an address names; what is of another shape names none. */
async function requireRequestConnection(request: FastifyRequest): Promise<SsoConnectionRow> {
  const { companyId = '', id = '' } = request.params as Record<string, string> // both stand in the address
  const known = /^\d{1,9}$/.test(companyId) && UUID_PATTERN.test(id)
  const row = known ? await findSsoConnection(request.server.deps.db, Number(companyId), id) : undefined
  if (!row) throw new AppError('not-found')
  return row
}

type IdentityReader = (attempt: SsoAttempt) => Promise<SsoIdentity>

/** One answer of a provider: what it proves is kept for the browser that asked, what is wrong with it for the journal. */
async function handleProviderAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  row: SsoConnectionRow,
  state: string,
  read: IdentityReader,
) {
  const { deps } = request.server
  const { aside, secrets } = deps
  await throttle(aside, `sso answer ${getClientNetwork(request.ip)}`, MAX_ANSWERS_PER_WINDOW, ANSWER_WINDOW_SECONDS)
  let attempt: SsoAttempt | undefined
  let identity: SsoIdentity | undefined
  try {
    attempt = await consumeState(aside, row, state)
    identity = await read(attempt)
    await requireProvedDomain(aside, row, identity.email)
    const ticket = await storeOutcome(aside, secrets, attempt, { identity })
    if (attempt.testerId) await markTested(request, row)
    return reply.redirect(attempt.testerId ? getTestPagePath(attempt) : `/login?sso=${ticket}`, 303)
  } catch (refusal) {
    if (!(refusal instanceof SsoRefusal)) throw refusal
    await recordSsoRefusal(deps, { connection: row, who: identity?.email ?? '', refusal, request })
    const outcome = { refusal: refusal.message, ...(identity && { identity }) }
    if (attempt?.testerId) await storeOutcome(aside, secrets, attempt, outcome)
    return reply.redirect(attempt?.testerId ? getTestPagePath(attempt) : '/login?sso=refus', 303)
  }
}

const getTestPagePath = ({ id }: SsoAttempt) => `/admin/sso?essai=${id}`

const markTested = ({ server }: FastifyRequest, { companyId, id }: SsoConnectionRow) =>
  server.deps.aside
    .update(ssoConnections)
    .set({ testedAt: new Date() })
    .where(and(eq(ssoConnections.companyId, companyId), eq(ssoConnections.id, id)))

const getOwnOrigin = (request: FastifyRequest) => getRequestOrigin(request, request.server.deps.config.PUBLIC_URL)

async function handleOidcCallback(request: FastifyRequest, reply: FastifyReply) {
  const row = await requireRequestConnection(request)
  if (row.kind !== 'oidc') throw new AppError('not-found')
  const urls = getServiceUrls(getOwnOrigin(request), row)
  const url = new URL(urls.redirectUri)
  url.search = request.url.split('?', 2)[1] ?? ''
  const state = url.searchParams.getAll('state').length === 1 ? (url.searchParams.get('state') ?? '') : ''
  const { deps } = request.server
  return handleProviderAnswer(request, reply, row, state, (attempt) =>
    verifyOidcAnswer(deps, row, url, state, openLoginState(deps.secrets, attempt)),
  )
}

async function handleSamlResponse(request: FastifyRequest, reply: FastifyReply) {
  const row = await requireRequestConnection(request)
  if (row.kind !== 'saml') throw new AppError('not-found')
  const form = request.body as URLSearchParams // the parser of this door
  const only = (name: string) => (form.getAll(name).length === 1 ? (form.get(name) ?? '') : '')
  const { deps } = request.server
  const { aside, secrets } = deps
  return handleProviderAnswer(request, reply, row, only('RelayState'), async (attempt) => {
    const { requestId } = openLoginState(secrets, attempt)
    if (!requestId) throwSsoRefusal('state', 'La demande n’était pas une demande SAML.')
    const urls = getServiceUrls(getOwnOrigin(request), row)
    const { identity, assertionId } = await verifySamlAnswer(deps, row, urls, only('SAMLResponse'), { requestId })
    await consumeAssertion(aside, attempt, assertionId)
    return identity
  })
}

async function handleSamlMetadata(request: FastifyRequest, reply: FastifyReply) {
  const row = await requireRequestConnection(request)
  if (row.kind !== 'saml') throw new AppError('not-found')
  return reply
    .type('application/samlmetadata+xml; charset=utf-8')
    .send(buildServiceMetadata(request.server.deps, row, getServiceUrls(getOwnOrigin(request), row)))
}

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 400_000

/**
 * What providers and their browsers call, in forms that are theirs: a redirection, a posted form, a document. They are
 * no calls of this product's API, and pass by its contract; what they bring opens nothing by itself.
 */
export function registerSsoProviderRoutes(app: FastifyInstance) {
  app.register(async (providerApp) => {
    providerApp.addContentTypeParser(
      FORM_CONTENT_TYPE,
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    )
    providerApp.get('/api/sso/in/:companyId/:id/callback', handleOidcCallback)
    providerApp.post('/api/sso/in/:companyId/:id/acs', { bodyLimit: MAX_FORM_BYTES }, handleSamlResponse)
    providerApp.get('/api/sso/in/:companyId/:id/metadata', handleSamlMetadata)
  })
}
