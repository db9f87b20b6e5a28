import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ssoConnections } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { networkOf } from '../../../http/network.ts'
import { originOf } from '../../../http/origin.ts'
import { throttle } from '../../../http/throttle.ts'
import { type Attempt, keepOutcome, spendAssertion, spendState, tripOf } from './attempts.ts'
import { refuse, SsoRefusal } from './faults.ts'
import { givenBy } from './given.ts'
import type { Identity } from './identity.ts'
import { recordRefusal } from './journal.ts'
import { answerOidc } from './oidc.ts'
import { answerSaml, metadataOf } from './saml.ts'
import { type Connection, findConnection } from './scope.ts'
import { requireOwnDomain } from './settle.ts'

const ANSWERS = 1200
const WINDOW = 15 * 60
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The connection that an address names; what is of another shape names none. */
async function connectionOf(request: FastifyRequest): Promise<Connection> {
  const { companyId = '', id = '' } = request.params as Record<string, string> // both stand in the address
  const known = /^\d{1,9}$/.test(companyId) && UUID.test(id)
  const row = known ? await findConnection(request.server.deps.db, Number(companyId), id) : undefined
  if (!row) throw new AppError('not-found')
  return row
}

type Read = (attempt: Attempt) => Promise<Identity>

/** One answer of a provider: what it proves is kept for the browser that asked, what is wrong with it for the journal. */
async function receive(request: FastifyRequest, reply: FastifyReply, row: Connection, state: string, read: Read) {
  const { deps } = request.server
  const { aside, secrets } = deps
  await throttle(aside, `sso answer ${networkOf(request.ip)}`, ANSWERS, WINDOW)
  let attempt: Attempt | undefined
  let identity: Identity | undefined
  try {
    attempt = await spendState(aside, row, state)
    identity = await read(attempt)
    await requireOwnDomain(aside, row, identity.email)
    const ticket = await keepOutcome(aside, secrets, attempt, { identity })
    if (attempt.testerId) await markTested(request, row)
    return reply.redirect(attempt.testerId ? trialPage(attempt) : `/login?sso=${ticket}`, 303)
  } catch (refusal) {
    if (!(refusal instanceof SsoRefusal)) throw refusal
    await recordRefusal(deps, { connection: row, who: identity?.email ?? '', refusal, request })
    const told = { refusal: refusal.message, ...(identity && { identity }) }
    if (attempt?.testerId) await keepOutcome(aside, secrets, attempt, told)
    return reply.redirect(attempt?.testerId ? trialPage(attempt) : '/login?sso=refus', 303)
  }
}

const trialPage = ({ id }: Attempt) => `/admin/sso?essai=${id}`

const markTested = ({ server }: FastifyRequest, { companyId, id }: Connection) =>
  server.deps.aside
    .update(ssoConnections)
    .set({ testedAt: new Date() })
    .where(and(eq(ssoConnections.companyId, companyId), eq(ssoConnections.id, id)))

const here = (request: FastifyRequest) => originOf(request, request.server.deps.config.PUBLIC_URL)

async function callback(request: FastifyRequest, reply: FastifyReply) {
  const row = await connectionOf(request)
  if (row.kind !== 'oidc') throw new AppError('not-found')
  const given = givenBy(here(request), row)
  const url = new URL(given.redirectUri)
  url.search = request.url.split('?', 2)[1] ?? ''
  const state = url.searchParams.getAll('state').length === 1 ? (url.searchParams.get('state') ?? '') : ''
  const { deps } = request.server
  return receive(request, reply, row, state, (attempt) =>
    answerOidc(deps, row, url, state, tripOf(deps.secrets, attempt)),
  )
}

async function assertionConsumer(request: FastifyRequest, reply: FastifyReply) {
  const row = await connectionOf(request)
  if (row.kind !== 'saml') throw new AppError('not-found')
  const form = request.body as URLSearchParams // the parser of this door
  const only = (name: string) => (form.getAll(name).length === 1 ? (form.get(name) ?? '') : '')
  const { deps } = request.server
  const { aside, secrets } = deps
  return receive(request, reply, row, only('RelayState'), async (attempt) => {
    const { requestId } = tripOf(secrets, attempt)
    if (!requestId) refuse('state', 'La demande n’était pas une demande SAML.')
    const given = givenBy(here(request), row)
    const { identity, assertionId } = await answerSaml(deps, row, given, only('SAMLResponse'), { requestId })
    await spendAssertion(aside, attempt, assertionId)
    return identity
  })
}

async function metadata(request: FastifyRequest, reply: FastifyReply) {
  const row = await connectionOf(request)
  if (row.kind !== 'saml') throw new AppError('not-found')
  return reply
    .type('application/samlmetadata+xml; charset=utf-8')
    .send(metadataOf(request.server.deps, row, givenBy(here(request), row)))
}

const FORM = 'application/x-www-form-urlencoded'
const MOST_BYTES = 400_000

/**
 * What providers and their browsers call, in forms that are theirs: a redirection, a posted form, a document. They are
 * no calls of this product's API, and pass by its contract; what they bring opens nothing by itself.
 */
export function registerSsoDoors(app: FastifyInstance) {
  app.register(async (doors) => {
    doors.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MOST_BYTES }, (_, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    doors.get('/api/sso/in/:companyId/:id/callback', callback)
    doors.post('/api/sso/in/:companyId/:id/acs', { bodyLimit: MOST_BYTES }, assertionConsumer)
    doors.get('/api/sso/in/:companyId/:id/metadata', metadata)
  })
}
