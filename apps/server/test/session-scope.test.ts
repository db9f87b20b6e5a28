import { endpoints } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import { companies as companyEndpoints } from '@voisol/contract/companies'
import { type Endpoint, getReach } from '@voisol/contract/endpoint'
import { ownFeed } from '@voisol/contract/own-feed'
import { passkeys } from '@voisol/contract/passkeys'
import { PERMISSIONS, permissions } from '@voisol/contract/permissions'
import { portalManagement } from '@voisol/contract/portal-management'
import { profile } from '@voisol/contract/profile'
import { whiteLabel } from '@voisol/contract/white-label'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { companies, SIGN_IN_METHODS, sessions, users } from '../src/db/schema/index.ts'
import { buildTotp } from '../src/features/identity/auth/second-factor.ts'
import { readZip } from '../src/files/zip.ts'
import { IMPERSONATION_HEADER } from '../src/http/impersonation.ts'
import { sha256 } from '../src/secrets.ts'
import { buildValidInput, formatEndpoint } from './access-bodies.ts'
import { makeEndpointParams, SECRET } from './access-makers.ts'
import { createAuthenticator } from './authenticator.ts'
import { call } from './client.ts'
import { makeApiKey, makeSiteAdmin, makeUser, PASSWORD } from './factories.ts'
import { makeParticipant } from './factories-energy.ts'
import { waitForJobs } from './jobs.ts'
import { useServer } from './server.ts'
import {
  acceptPortalInvitation,
  addCompanyMembership,
  type CallCredentials,
  connectOidcProvider,
  findSessionOrigin,
  insertSession,
  makeDirectoryUser,
  type OpenedWith,
} from './session-fixtures.ts'
import {
  allowLocalProviders,
  beginSsoInBrowser,
  deliverSsoResponse,
  exchangeSsoTicket,
  makeSsoConnection,
} from './sso-flow.ts'
import { followRedirectsHome, type startOidcProvider } from './sso-oidc.ts'
import { createSigner, startSamlProvider } from './sso-saml.ts'
import { clearWrittenRows, listWrittenRows, watchRows } from './watched-rows.ts'

/** Sessions are in company Bravo; Charlie and the others are companies administered by the same people. */
const server = useServer()
const OIDC = 'bravo.example'
const SAML = 'bravo-saml.example'

type User = Awaited<ReturnType<typeof makeUser>>

let bravo: User
let charlie: User
let worker: User
/** Enforces its provider for the domain of `echoWorker`, who also works for Bravo and Charlie. */
let echo: User
let echoWorker: User
let oidcId: string
let samlId: string
let provider: Awaited<ReturnType<typeof startOidcProvider>>
let saml: Awaited<ReturnType<typeof startSamlProvider>>

const join = (userId: string, companyId: number) => addCompanyMembership(server, userId, companyId)
const openIn = (userId: string, openedWith: OpenedWith, ssoConnectionId?: string) =>
  insertSession(server, { userId, companyId: bravo.companyId, openedWith, ...(ssoConnectionId && { ssoConnectionId }) })
const bySso = () => openIn(worker.id, 'sso', oidcId)
const findOrigin = (token: string) => findSessionOrigin(server, token)

beforeAll(async () => {
  allowLocalProviders(server)
  await watchRows(server, 'whole')
  await makeSiteAdmin(server.db)
  bravo = await makeUser(server.db)
  charlie = await makeUser(server.db)
  worker = await makeUser(server.db, { companyId: bravo.companyId, email: `u@${OIDC}` })
  await join(worker.id, charlie.companyId)
  const signer = await createSigner()
  saml = await startSamlProvider(signer)
  const { issuer } = saml
  const certificates = [signer.certificate]
  samlId = (
    await makeSsoConnection(server, bravo, SAML, { kind: 'saml', entityId: issuer, ssoUrl: issuer, certificates })
  ).id
  oidcId = (await makeSsoConnection(server, bravo, OIDC)).id
  echo = await makeUser(server.db)
  echoWorker = await makeUser(server.db, { companyId: bravo.companyId, email: 'p@echo.example' })
  for (const { companyId } of [charlie, echo]) await join(echoWorker.id, companyId)
  await makeSsoConnection(server, echo, 'echo.example', { enforcedAt: new Date(), breakGlassId: echo.id })
})
afterAll(() => Promise.all([provider?.close(), saml?.close()]))

/** Data that a call has changed in a company, or of a person across companies. */
async function writtenBeyond(companyId: number) {
  const rows = await listWrittenRows(server)
  return rows.filter(({ name, row }) => row?.company_id === companyId || name === 'users').map(({ name }) => name)
}

const namedCompanyEndpoints = endpoints.filter(
  (e) => getReach(e) === 'named-company' && e.access !== 'public' && e.params,
)

async function collectRefusals(way: CallCredentials, companyId: number) {
  const found = new Map<string, string>()
  await waitForJobs(server)
  await clearWrittenRows(server)
  for (const e of namedCompanyEndpoints) {
    const { status, body } = await call(server, e, { params: { companyId }, ...buildValidInput(e) }, way)
    found.set(formatEndpoint(e), `${status} ${body?.code ?? ''}`.trim())
  }
  expect(await writtenBeyond(companyId)).toEqual([])
  return [...new Set(found.values())].sort()
}

/**
 * Endpoints that affect a person across companies; with a single-company session they are refused, or limited to that
 * company.
 */
const BEYOND_ONE_COMPANY = [
  'person GET /api/notifications/preferences',
  'person PATCH /api/profile',
  'person POST /api/auth/verification',
  'person PUT /api/notifications/preferences',
  'person-or-company DELETE /api/auth/sessions/:id',
  'person-or-company GET /api/auth/sessions',
  'person-or-company GET /api/profile/export',
  'person-or-company POST /api/auth/sessions/revoke-others',
  'sign-in GET /api/auth/passkeys',
  'sign-in PATCH /api/auth/passkeys/:id',
  'sign-in POST /api/auth/passkeys',
  'sign-in POST /api/auth/passkeys/:id/remove',
  'sign-in POST /api/auth/passkeys/options',
  'sign-in POST /api/auth/password',
  'sign-in POST /api/auth/second-factor',
  'sign-in POST /api/auth/second-factor/disable',
  'sign-in POST /api/auth/second-factor/enable',
  'sign-in POST /api/auth/second-factor/recovery-codes',
]

test('an endpoint for signed-in persons, or that names a company, declares its reach', () => {
  const keys = (schema: unknown) =>
    typeof schema === 'object' && schema && 'shape' in schema ? Object.keys(schema.shape as object) : [] // zod's
  const silent = endpoints.filter((e) => {
    if (e.access === 'public' || e.reaches) return false
    const names = [...keys(e.params), ...keys(e.query), ...keys(e.body)]
    const inPath = e.path.includes('/:companyId')
    return e.access === 'signed-in' || (!inPath && names.some((one) => /^compan(?:y|ies)(?:Ids?)?$/i.test(one)))
  })
  expect(silent.map(formatEndpoint)).toEqual([])
  expect(namedCompanyEndpoints.length).toBeGreaterThanOrEqual(9)
  // A company named elsewhere than in the path is not seen before the call: its handler checks it, and it is tried below.
  const elsewhere = endpoints.filter((e) => getReach(e) === 'named-company' && !keys(e.params).includes('companyId'))
  expect(elsewhere.map(formatEndpoint)).toEqual([formatEndpoint(auth.switchCompany)])
  const further = endpoints.filter((e) => ['person', 'person-or-company', 'sign-in'].includes(getReach(e)))
  expect(further.map((e) => `${getReach(e)} ${formatEndpoint(e)}`).sort()).toEqual(BEYOND_ONE_COMPANY)
})

async function openImpersonation(): Promise<CallCredentials> {
  const resident = await makeUser(server.db, { companyId: bravo.companyId, isAdmin: false })
  const { id } = await makeParticipant(server.db, { companyId: bravo.companyId, userId: resident.id })
  const by = await openIn(worker.id, 'password-code')
  const { body } = await call(server, portalManagement.view, { params: { id } }, by)
  return { ...by, headers: { [IMPERSONATION_HEADER]: body.viewId } }
}

async function makePersonalToken(): Promise<CallCredentials> {
  const resident = await makeUser(server.db, { companyId: bravo.companyId, isAdmin: false })
  await join(resident.id, charlie.companyId)
  const { body } = await call(server, ownFeed.create, { body: { name: 'Tableur', scopes: ['energy.read'] } }, resident)
  return { token: body.token }
}

let directoryUsers = 0
async function openAsDirectoryUser(): Promise<CallCredentials> {
  const id = await makeDirectoryUser(server, bravo, oidcId, `annuaire${++directoryUsers}@${OIDC}`)
  await join(id, charlie.companyId)
  return openIn(id, 'sso', oidcId)
}

let invitees = 0
/** A resident who accepted the link of an invitation to the portal, and is a resident of Charlie too. */
async function openByInvitation(): Promise<CallCredentials> {
  const { userId, ...credentials } = await acceptPortalInvitation(server, bravo, `residente${++invitees}@exemple.fr`)
  await addCompanyMembership(server, userId, charlie.companyId, 'client')
  return credentials
}

type Way = {
  open: () => Promise<CallCredentials>
  /** The other company that is tried: one that a session of this way may not act in. */
  other: () => User
  /** What every endpoint that names that company answers. */
  named: string[]
  /** What moving the session there answers. */
  move: string
  /** What every endpoint that touches the person as a whole answers; `allowed` where the account is the caller's own. */
  person: string[] | 'allowed'
}
const isRefused = { named: ['403 sso-only-here'], move: '403 sso-only-here', person: ['403 sso-only-here'] }
const ofEchoWorker = (openedWith: OpenedWith): Way => ({
  open: () => openIn(echoWorker.id, openedWith),
  other: () => echo,
  named: ['403 sso-required-there'],
  move: '403 sso-required-there',
  person: 'allowed',
})

/** Every way of coming in, and what it opens beyond its company: the three loops below try each. */
const WAYS: Record<string, Way> = {
  'a password': ofEchoWorker('password'),
  'a password and a code': ofEchoWorker('password-code'),
  'a password and a passkey': ofEchoWorker('password-passkey'),
  'a passkey': ofEchoWorker('passkey'),
  OpenID: { open: bySso, other: () => charlie, ...isRefused },
  SAML: { open: () => openIn(worker.id, 'sso', samlId), other: () => charlie, ...isRefused },
  'an account made by SCIM': { open: openAsDirectoryUser, other: () => charlie, ...isRefused },
  impersonation: {
    open: openImpersonation,
    other: () => charlie,
    named: ['403 view-only'],
    move: '403 view-only',
    person: ['403 view-only'],
  },
  'a key': {
    open: async () => ({ token: await makeApiKey(server.db, worker, { permissions: [...permissions] }) }),
    other: () => charlie,
    named: ['404 not-found'],
    move: '403 forbidden',
    person: ['403 forbidden'],
  },
  'a token of one’s own': {
    open: makePersonalToken,
    other: () => charlie,
    named: ['403 forbidden'],
    move: '403 forbidden',
    person: ['403 forbidden'],
  },
  'the link of an invitation to the portal': {
    open: openByInvitation,
    other: () => charlie,
    named: ['403 forbidden'],
    // A resident of both companies, neither of which asks for more.
    move: '200',
    person: 'allowed',
  },
}
const EACH_WAY = Object.entries(WAYS)

test('every method of sign-in that a session stores is opened by a way of the table', async () => {
  const methods = new Set<string | undefined>()
  for (const [, { open }] of EACH_WAY) methods.add((await findOrigin((await open()).token))?.with)
  // A key and a token of one’s own open no session.
  methods.delete(undefined)
  expect([...methods].sort()).toEqual(SIGN_IN_METHODS.toSorted())
})

describe('sign-in by the company’s identity provider', () => {
  test('cannot take over another company: the steps of an attacker change nothing of Charlie', async () => {
    provider = await connectOidcProvider(server, bravo.companyId, oidcId)
    provider.become('sujet-1', { email: worker.email, given_name: 'U', family_name: 'V', groups: [] })
    const { url, cookie } = await beginSsoInBrowser(server, worker.email)
    const landed = await deliverSsoResponse(server, await followRedirectsHome(url.href))
    const signedIn = await exchangeSsoTicket(server, landed, cookie)
    expect(signedIn.body.user).toMatchObject({ id: worker.id, companyId: bravo.companyId, bySingleSignOn: true })
    const { token } = signedIn.body
    expect(await findOrigin(token)).toEqual({ with: 'sso', for: bravo.companyId, connection: oidcId })
    const params = { companyId: charlie.companyId }
    const { body: before } = await call(server, companyEndpoints.get, { params }, charlie)
    const form = { name: 'Prise', legalName: '', siren: '', address: '', email: '', phone: '', version: 1 }
    const taken = await call(server, companyEndpoints.update, { params, body: form }, { token })
    expect({ status: taken.status, code: taken.body.code }).toEqual({ status: 403, code: 'sso-only-here' })
    const look = { customDomain: 'pirate.example', version: 0 }
    expect((await call(server, whiteLabel.update, { params, body: look }, { token })).status).toBe(403)
    expect((await call(server, whiteLabel.proveDomain, { params }, { token })).status).toBe(403)
    expect((await call(server, auth.switchCompany, { body: params }, { token })).body.code).toBe('sso-only-here')
    expect((await call(server, companyEndpoints.get, { params }, charlie)).body).toEqual(before)
    const here = { params: { companyId: bravo.companyId } }
    expect((await call(server, companyEndpoints.get, here, { token })).status).toBe(200)
  })

  test('a SAML session stores its connection and its company', async () => {
    saml.become(`noe@${SAML}`)
    const { url, cookie } = await beginSsoInBrowser(server, `noe@${SAML}`)
    const { action, form } = await saml.visit(url.href)
    const { body } = await exchangeSsoTicket(server, await deliverSsoResponse(server, action, form), cookie)
    expect(await findOrigin(body.token)).toEqual({ with: 'sso', for: bravo.companyId, connection: samlId })
  })
})

describe('sign-in method stored with the session', () => {
  const login = (email: string, more: object = {}) =>
    call(server, auth.login, { body: { email, password: PASSWORD, ...more } })

  test('a password, a password with a code, a passkey', async () => {
    const user = await makeUser(server.db)
    const opening = { for: null, connection: null }
    const first = (await login(user.email)).body.token
    expect(await findOrigin(first)).toEqual({ with: 'password', ...opening })
    const enrolling = (await login(user.email)).body.token
    const { secret } = (
      await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, { token: enrolling })
    ).body
    const code = (step: number) => buildTotp(secret, '').generate({ timestamp: Date.now() + step * 30_000 })
    const enabled = await call(server, auth.enableSecondFactor, { body: { code: code(-1) } }, { token: enrolling })
    expect(enabled.status).toBe(200)
    expect(await findOrigin(enrolling)).toEqual({ with: 'password-code', ...opening })
    // Opened with a password alone, it ends when a second factor is added to the account.
    expect(await findOrigin(first)).toBeUndefined()
    const { token } = (await login(user.email, { code: code(0) })).body
    expect(await findOrigin(token)).toEqual({ with: 'password-code', ...opening })
    const key = createAuthenticator('http://localhost')
    const options = (await call(server, passkeys.prepare, { body: { password: PASSWORD } }, { token })).body
    const credential = key.create(options.challenge)
    expect((await call(server, passkeys.add, { body: { name: 'Clé', credential } }, { token })).status).toBe(200)
    const challenge = async () => String((await call(server, passkeys.challenge)).body.challenge)
    const found = await call(server, passkeys.signIn, { body: { credential: key.get(await challenge()) } })
    expect(await findOrigin(found.body.token)).toEqual({ with: 'passkey', ...opening })
    const both = await login(user.email, { passkey: key.get(await challenge()) })
    expect(await findOrigin(both.body.token)).toEqual({ with: 'password-passkey', ...opening })
  })

  test('a refreshed token keeps the method and the company of its session', async () => {
    const { body } = await login(worker.email)
    await server.db
      .update(sessions)
      .set({ openedWith: 'sso', openedFor: bravo.companyId, companyId: bravo.companyId, ssoConnectionId: oidcId })
      .where(eq(sessions.tokenHash, sha256(body.token)))
    const renewed = await call(server, auth.refresh, { body: { refreshToken: body.refreshToken } })
    expect(await findOrigin(renewed.body.token)).toEqual({ with: 'sso', for: bravo.companyId, connection: oidcId })
  })

  test('the database refuses to move a session to another company', async () => {
    const { token } = await bySso()
    const move = (values: object) =>
      server.db
        .update(sessions)
        .set(values)
        .where(eq(sessions.tokenHash, sha256(token)))
    await expect(move({ companyId: charlie.companyId })).rejects.toThrow()
    await expect(move({ openedFor: null })).rejects.toThrow()
  })
})

describe('a second company of the same administrator, for every endpoint that names it', () => {
  test.each(EACH_WAY)('%s is refused, and changes nothing', async (_, { open, other, named }) => {
    expect(await collectRefusals(await open(), other().companyId)).toEqual(named)
  })

  test.each(EACH_WAY)('%s moves its session there only where its way allows it', async (_, { open, other, move }) => {
    const { status, body } = await call(
      server,
      auth.switchCompany,
      { body: { companyId: other().companyId } },
      await open(),
    )
    expect(`${status} ${body.code ?? ''}`.trim()).toBe(move)
  })

  const STRONG: OpenedWith[] = ['password-code', 'password-passkey', 'passkey']

  test('a company that requires a second factor refuses a password alone, and accepts a second factor', async () => {
    const delta = await makeUser(server.db)
    await server.db.update(companies).set({ secondFactor: 'office' }).where(eq(companies.id, delta.companyId))
    await join(worker.id, delta.companyId)
    const weak = await openIn(worker.id, 'password')
    expect(await collectRefusals(weak, delta.companyId)).toEqual(['403 second-factor-unproved'])
    const setFactor = (totpEnabledAt: Date | null) =>
      server.db.update(users).set({ totpEnabledAt }).where(eq(users.id, worker.id))
    await setFactor(new Date())
    for (const way of STRONG) {
      const params = { companyId: delta.companyId }
      const { status } = await call(server, companyEndpoints.get, { params }, await openIn(worker.id, way))
      expect({ way, status }).toEqual({ way, status: 200 })
    }
    await setFactor(null)
    // A second factor removed since counts as unproved.
    for (const way of STRONG)
      expect(await collectRefusals(await openIn(worker.id, way), delta.companyId)).toEqual([
        '403 second-factor-unproved',
      ])
  })

  test('a company without either requirement still opens with a password', async () => {
    const params = { companyId: charlie.companyId }
    const as = await openIn(worker.id, 'password')
    expect((await call(server, companyEndpoints.get, { params }, as)).status).toBe(200)
  })
})

describe('endpoints that change how a person signs in, or their data across companies', () => {
  const whole = endpoints.filter((e) => ['person', 'sign-in'].includes(getReach(e)))

  test.each(EACH_WAY)('%s gets what its way allows, and changes nothing by an empty call', async (_, way) => {
    const as = await way.open()
    await waitForJobs(server)
    await clearWrittenRows(server)
    const answers: string[] = []
    for (const e of whole) {
      const { status, body } = await call(server, e, { params: { id: crypto.randomUUID() }, body: {} }, as)
      const isScopeRefusal = status === 401 || status === 403
      if (way.person !== 'allowed' || isScopeRefusal) answers.push(`${status} ${body?.code ?? ''}`.trim())
    }
    expect([...new Set(answers)].sort()).toEqual(way.person === 'allowed' ? [] : way.person)
    expect(await writtenBeyond(way.other().companyId)).toEqual([])
  })
})

describe('a session opened by a company’s provider', () => {
  test('of a member of no other company may change their name, but not their sign-in methods', async () => {
    const alone = await makeUser(server.db, { companyId: bravo.companyId, email: `seule@${OIDC}` })
    const as = await openIn(alone.id, 'sso', oidcId)
    const body = { firstName: 'Anaïs', lastName: 'Morel', phone: '', version: 1 }
    expect((await call(server, profile.update, { body }, as)).status).toBe(200)
    const add = await call(server, passkeys.prepare, { body: { password: PASSWORD } }, as)
    expect(add.body.code).toBe('sso-only-here')
  })

  test('lists and ends only the sessions opened for its company', async () => {
    const elsewhere = await openIn(worker.id, 'password')
    const other = await bySso()
    const as = await bySso()
    const listed = (await call(server, auth.sessions, {}, as)).body.items as { id: string }[]
    const ownIds = (
      await server.db
        .select({ id: sessions.id })
        .from(sessions)
        .where(and(eq(sessions.userId, worker.id), eq(sessions.openedFor, bravo.companyId)))
    ).map(({ id }) => id)
    expect(listed.map(({ id }) => id).sort()).toEqual(ownIds.sort())
    const [row] = await server.db
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.tokenHash, sha256(elsewhere.token)))
    expect((await call(server, auth.revokeSession, { params: { id: row?.id } }, as)).status).toBe(404)
    expect((await call(server, auth.revokeOtherSessions, {}, as)).status).toBe(200)
    expect((await call(server, auth.me, {}, elsewhere)).status).toBe(200)
    expect((await call(server, auth.me, {}, other)).status).toBe(401)
  })

  test('exports the personal data of its company, and of no other', async () => {
    for (const [companyId, label] of [
      [bravo.companyId, 'Chez Bravo'],
      [charlie.companyId, 'Chez Charlie'],
    ] as const)
      await makeParticipant(server.db, { companyId, userId: worker.id, name: label })
    const take = async ({ token }: CallCredentials) => {
      const url = profile.export.path
      const { rawPayload } = await server.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      return readZip(rawPayload)
        .map(({ read }) => read().toString())
        .join('\n')
    }
    const all = await take(await openIn(worker.id, 'password'))
    expect([all.includes('Chez Bravo'), all.includes('Chez Charlie')]).toEqual([true, true])
    const part = await take(await bySso())
    expect([part.includes('Chez Bravo'), part.includes('Chez Charlie')]).toEqual([true, false])
    expect(part).not.toMatch(new RegExp(`"companyId": ${charlie.companyId}\\b`))
  })
})

describe('ids of the second company, in a session of the first', () => {
  /** What the site owner keeps is open only to its administrators: no other company could find it. */
  const isSite = ({ access }: Endpoint) => {
    const permission = typeof access === 'object' && access.permission
    return Boolean(permission && 'site' in PERMISSIONS[permission])
  }
  const byId = endpoints.filter((e) => e.params && e.access !== 'public' && getReach(e) === 'company' && !isSite(e))
  const ways: [string, CallCredentials][] = []
  beforeAll(async () => {
    for (const [way, { open }] of EACH_WAY) ways.push([way, await open()])
  })

  test.each(byId.map((e) => [formatEndpoint(e), e] as const))('%s finds and changes nothing', async (_, e) => {
    const params = await makeEndpointParams(server, e, charlie)
    await waitForJobs(server)
    await clearWrittenRows(server)
    for (const [way, as] of ways) {
      const { status, text } = await call(server, e, { params, ...buildValidInput(e) }, as)
      // Audit entries are numbered per company: the same number is one of its own.
      const refused = status === 404 || status === 403 || e.path === '/api/audit/:id'
      expect({ way, status, refused, told: text.includes(SECRET) }).toEqual({ way, status, refused: true, told: false })
    }
    expect(await writtenBeyond(charlie.companyId)).toEqual([])
  })

  test('no list contains data of the second company', async () => {
    const lists = endpoints.filter((e) => e.method === 'GET' && !e.params && e.access !== 'public' && !isSite(e))
    const telling: string[] = []
    for (const e of lists)
      for (const [way, as] of ways) {
        const { status, text } = await call(server, e, buildValidInput(e), as)
        // A session that has ended would be shown nothing anyway.
        if (status === 401 || text.includes(SECRET)) telling.push(`${formatEndpoint(e)} ${status} by ${way}`)
      }
    expect(telling).toEqual([])
  })
})
