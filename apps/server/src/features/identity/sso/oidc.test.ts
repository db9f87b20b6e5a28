import { api } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import { sso } from '@voisol/contract/sso'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { withAccountLocked } from '../../../../test/locks.ts'
import { useServer } from '../../../../test/server.ts'
import {
  allowLocalProviders,
  beginSsoInBrowser,
  deliverSsoResponse,
  dnsTxtRecords,
  exchangeSsoTicket,
  listSsoRefusals,
  startSsoTest,
} from '../../../../test/sso-flow.ts'
import { followRedirectsHome, startOidcProvider } from '../../../../test/sso-oidc.ts'
import { users } from '../../../db/schema/index.ts'

const server = useServer()
const DOMAIN = 'mairie-des-aulnes.fr'
let admin: Awaited<ReturnType<typeof makeUser>>
let provider: Awaited<ReturnType<typeof startOidcProvider>>
let id: string

const MARION = {
  email: `marion.prat@${DOMAIN}`,
  given_name: 'Marion',
  family_name: 'Prat',
  groups: ['Énergie', 'Tous'],
}
const settings = (version: number, more: object = {}) => ({
  name: 'Annuaire de la mairie',
  issuer: provider.issuer,
  clientId: 'voisol',
  clientSecret: 'un-secret-d-essai-de-quarante-caracteres',
  roles: [{ group: 'énergie', role: 'manager' }],
  version,
  ...more,
})
const as = () => ({ token: admin.token })

async function signIn(email: string) {
  const { url, cookie } = await beginSsoInBrowser(server, email)
  const landed = await deliverSsoResponse(server, await followRedirectsHome(url.href))
  return { landed, cookie, ...(await exchangeSsoTicket(server, landed, cookie)) }
}

beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  const made = await call(server, sso.create, { body: { name: 'Mairie', kind: 'oidc' } }, as())
  id = made.body.id
  provider = await startOidcProvider('voisol', 'un-secret-d-essai-de-quarante-caracteres', made.body.given.redirectUri)
  provider.become('sujet-41', MARION)
})
afterAll(() => provider?.close())

describe('from the first setting to the first sign-in', () => {
  test('a domain is proved by its record, and by nothing less', async () => {
    const added = await call(server, sso.addDomain, { params: { id }, body: { domain: 'Mairie-des-Aulnes.fr' } }, as())
    const [{ record, provedAt }] = added.body.domains
    expect({ provedAt, shape: /^voisol-verification=[\w-]{43}$/.test(record) }).toEqual({ provedAt: null, shape: true })
    const prove = () => call(server, sso.proveDomain, { params: { id }, body: { domain: DOMAIN } }, as())
    const none = await prove()
    expect({ status: none.status, told: none.body.detail.includes(record) }).toEqual({ status: 422, told: true })
    dnsTxtRecords.set(DOMAIN, [`v=spf1 -all`, `${record}x`])
    expect((await prove()).status).toBe(422)
    dnsTxtRecords.set(DOMAIN, ['v=spf1 -all', record])
    expect((await prove()).body.domains[0].provedAt).not.toBeNull()
  })

  test('a domain belongs to the first who proves it', async () => {
    const other = await makeUser(server.db)
    const theirs = await call(server, sso.create, { body: { name: 'Autre', kind: 'oidc' } }, other)
    const params = { id: theirs.body.id }
    const added = await call(server, sso.addDomain, { params, body: { domain: DOMAIN } }, other)
    dnsTxtRecords.set(DOMAIN, [...(dnsTxtRecords.get(DOMAIN) ?? []), added.body.domains[0].record])
    const answer = await call(server, sso.proveDomain, { params, body: { domain: DOMAIN } }, other)
    expect({ status: answer.status, detail: answer.body.detail }).toEqual({
      status: 409,
      detail: expect.stringContaining('déjà prouvé'),
    })
  })

  test('the provider is asked before anything is kept', async () => {
    const save = (more: object) => call(server, sso.update, { params: { id }, body: settings(1, more) }, as())
    const elsewhere = await save({ issuer: `${provider.issuer}/ailleurs` })
    expect(elsewhere.body.issues).toEqual([{ path: 'issuer', message: expect.stringContaining('réglages OpenID') }])
    const shared = await save({ issuer: 'https://login.microsoftonline.com/common/v2.0' })
    expect(shared.body.issues[0].message).toContain('toutes les organisations')
    const saved = await save({})
    expect({ issuer: saved.body.issuer, hasSecret: saved.body.hasSecret, version: saved.body.version }).toEqual({
      issuer: provider.issuer,
      hasSecret: true,
      version: 2,
    })
    expect(saved.text).not.toContain('un-secret-d-essai')
  })

  test('it is tried before it is switched on, and shows what it received', async () => {
    const on = () => call(server, sso.switch, { params: { id }, body: { on: true } }, as())
    expect((await on()).status).toBe(409)
    expect((await beginSsoInBrowser(server, MARION.email)).code).toBe('sso-unknown')
    const landed = await deliverSsoResponse(
      server,
      await followRedirectsHome((await startSsoTest(server, admin, id)).url.href),
    )
    const trial = new URL(landed, 'http://localhost').searchParams.get('essai') ?? ''
    const { body } = await call(server, sso.trial, { params: { id: trial } }, as())
    expect(body).toMatchObject({
      state: 'accepted',
      email: MARION.email,
      firstName: 'Marion',
      groups: ['Énergie', 'Tous'],
      roleName: 'Gestionnaire',
    })
    expect(body.claims).toContainEqual({ name: 'given_name', value: 'Marion' })
    expect(await server.db.select().from(users).where(eq(users.email, MARION.email))).toEqual([])
    expect((await on()).body.activatedAt).not.toBeNull()
  })

  test('an account is made at the first sign-in with the role of its group, and found at the second', async () => {
    const first = await signIn(MARION.email)
    expect(first.body.user).toMatchObject({ email: MARION.email, roleName: 'Gestionnaire', companyId: admin.companyId })
    const { body } = await call(server, auth.me, {}, { token: first.body.token })
    expect(body.firstName).toBe('Marion')
    const second = await withAccountLocked(server.db, first.body.user.id, () => signIn(MARION.email))
    expect(second.body.user.id).toBe(first.body.user.id)
    const journal = await call(server, sso.journal, {}, as())
    expect(journal.body.items[0]).toMatchObject({
      who: MARION.email,
      outcome: 'done',
      connection: 'Annuaire de la mairie',
    })
  })
})

describe('what comes back is good once, for the browser that asked', () => {
  test('the answer is presented again', async () => {
    const { url } = await beginSsoInBrowser(server, MARION.email)
    const back = await followRedirectsHome(url.href)
    expect(await deliverSsoResponse(server, back)).toMatch(/^\/login\?sso=\d+\./)
    expect(await deliverSsoResponse(server, back)).toBe('/login?sso=refus')
    expect((await listSsoRefusals(server, admin))[0]).toContain('déjà servi')
  })

  test('the code of one demand is brought with the state of another', async () => {
    const [one, two] = [await beginSsoInBrowser(server, MARION.email), await beginSsoInBrowser(server, MARION.email)]
    const [first, second] = [
      new URL(await followRedirectsHome(one.url.href)),
      new URL(await followRedirectsHome(two.url.href)),
    ]
    first.searchParams.set('state', second.searchParams.get('state') ?? '')
    expect(await deliverSsoResponse(server, first.href)).toBe('/login?sso=refus')
    expect((await listSsoRefusals(server, admin))[0]).toContain('code d’autorisation')
  })

  test('the ticket opens in no other browser, and not twice', async () => {
    const { landed, cookie, status } = await signIn(MARION.email)
    expect(status).toBe(200)
    expect((await exchangeSsoTicket(server, landed, cookie)).body.code).toBe('sso')
    const mine = await beginSsoInBrowser(server, MARION.email)
    const stolen = await deliverSsoResponse(server, await followRedirectsHome(mine.url.href))
    const other = await beginSsoInBrowser(server, MARION.email)
    expect((await exchangeSsoTicket(server, stolen, other.cookie)).body.code).toBe('sso')
    expect((await listSsoRefusals(server, admin))[0]).toContain('autre navigateur')
    expect((await exchangeSsoTicket(server, stolen, mine.cookie)).status).toBe(401)
  })
})

describe('who is let in', () => {
  test('an address of a domain that the company did not prove is refused', async () => {
    provider.become('sujet-42', { ...MARION, email: 'marion@ailleurs.fr' })
    expect((await signIn(MARION.email)).landed).toBe('/login?sso=refus')
    expect((await listSsoRefusals(server, admin))[0]).toContain('n’est pas d’un domaine prouvé')
  })

  test('an account of another company with an address of the domain is not taken', async () => {
    const stranger = await makeUser(server.db, { email: `ancien@${DOMAIN}` })
    provider.become('sujet-43', { ...MARION, email: stranger.email })
    const { body } = await signIn(stranger.email)
    expect(body.code).toBe('sso')
    expect(body.detail).not.toContain('compte')
    expect((await listSsoRefusals(server, admin))[0]).toContain('déjà un compte')
  })

  test('a member of both companies stays in the one whose provider opened the session', async () => {
    const both = await makeUser(server.db, { companyId: admin.companyId, email: `deux@${DOMAIN}` })
    const { companyId } = await makeUser(server.db)
    await server.db.execute(`insert into memberships (company_id, user_id, role, accepted_at)
      values (${companyId}, '${both.id}', 'admin', now())`)
    provider.become('sujet-44', { ...MARION, email: both.email })
    const { body } = await signIn(both.email)
    const moved = await call(server, auth.switchCompany, { body: { companyId } }, { token: body.token })
    expect({ status: moved.status, code: moved.body.code }).toEqual({ status: 403, code: 'sso-only-here' })
    const totp = await call(
      server,
      auth.startSecondFactor,
      { body: { password: 'pas le sien' } },
      { token: body.token },
    )
    expect(totp.body.code).toBe('sso-only-here')
  })

  test('a member whose address nobody had confirmed keeps no password once the provider vouches for it', async () => {
    const early = await makeUser(server.db, { companyId: admin.companyId, email: `tard@${DOMAIN}` })
    await server.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, early.id))
    provider.become('sujet-47', { ...MARION, email: early.email })
    const { body } = await signIn(early.email)
    expect(body.user).toMatchObject({ id: early.id, emailVerified: true })
    expect((await call(server, auth.me, {}, early)).status).toBe(401)
    const [account] = await server.db.select().from(users).where(eq(users.id, early.id))
    expect(account?.passwordHash).toBeNull()
    const again = await signIn(early.email)
    expect([again.status, (await call(server, auth.me, {}, { token: body.token })).status]).toEqual([200, 200])
  })

  test('an address given to somebody else since, an unverified one, a disabled account, no group', async () => {
    provider.become('un autre sujet', MARION)
    expect((await signIn(MARION.email)).body.code).toBe('sso')
    expect((await listSsoRefusals(server, admin))[0]).toContain('autre personne')
    provider.become('sujet-45', { ...MARION, email: `neuf@${DOMAIN}`, email_verified: false })
    expect((await signIn(MARION.email)).landed).toBe('/login?sso=refus')
    expect((await listSsoRefusals(server, admin))[0]).toContain('n’est pas vérifiée')
    provider.become('sujet-46', { ...MARION, email: `sans@${DOMAIN}`, groups: ['Tous'] })
    expect((await signIn(MARION.email)).body.code).toBe('sso')
    expect((await listSsoRefusals(server, admin))[0]).toContain('Aucun groupe')
    provider.become('sujet-41', MARION)
    const { body } = await signIn(MARION.email)
    await call(server, api.users.disable, { params: { id: body.user.id } }, as())
    expect((await call(server, auth.me, {}, { token: body.token })).status).toBe(401)
    expect((await signIn(MARION.email)).body.code).toBe('sso')
    expect((await listSsoRefusals(server, admin))[0]).toContain('désactivé')
  })
})
