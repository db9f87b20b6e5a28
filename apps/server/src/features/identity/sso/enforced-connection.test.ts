import { api } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import { sso } from '@voisol/contract/sso'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { allowLocalProviders, makeSsoConnection } from '../../../../test/sso-flow.ts'
import { memberships, passwordResets, sessions, ssoConnections, users } from '../../../db/schema/index.ts'
import { generateToken, sha256 } from '../../../secrets.ts'

const server = useServer()
const DOMAIN = 'ferme-des-tuiles.fr'
type User = Awaited<ReturnType<typeof makeUser>>
let admin: User
let spare: User
let worker: User
let id: string

beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  spare = await makeUser(server.db, { companyId: admin.companyId, email: `secours@${DOMAIN}` })
  worker = await makeUser(server.db, { companyId: admin.companyId, email: `lou@${DOMAIN}`, role: 'manager' })
  id = (await makeSsoConnection(server, admin, DOMAIN)).id
})
beforeEach(() => server.db.execute('delete from throttles'))

const login = (email: string, password = PASSWORD) => call(server, auth.login, { body: { email, password } })
const enforce = (on: boolean, breakGlassId: string | null = null) =>
  call(server, sso.enforce, { params: { id }, body: { on, breakGlassId } }, admin)

test('it is imposed with an administrator who keeps a password, and with no other', async () => {
  for (const wrong of [null, worker.id, (await makeUser(server.db)).id]) {
    const { status, body } = await enforce(true, wrong)
    expect({ status, path: body.issues?.[0]?.path }).toEqual({ status: 422, path: 'breakGlassId' })
  }
  const { body } = await enforce(true, spare.id)
  expect(body.breakGlass).toMatchObject({ email: spare.email })
  expect((await call(server, auth.me, {}, worker)).status).toBe(401)
  expect((await call(server, auth.me, {}, admin)).status).toBe(200)
})

describe('while it is imposed', () => {
  test('a password of the domain opens nothing, and is not said to be right', async () => {
    expect((await login(worker.email)).body.code).toBe('sso-required')
    expect((await login(worker.email, 'un autre mot de passe')).body.code).toBe('sso-required')
    expect((await login(`personne@${DOMAIN}`)).body.code).toBe('sso-required')
    expect((await login(spare.email)).status).toBe(200)
    expect((await login(admin.email)).status).toBe(200)
  })

  test('a link for a new password is not sent, and one sent before opens nothing', async () => {
    await call(server, auth.forgotPassword, { body: { email: worker.email } })
    const [mail] = await waitForMails(server, worker.email)
    expect(mail?.text).toContain('Connexion d’entreprise')
    expect(mail?.text).not.toContain('reset=')
    const token = generateToken()
    const expiresAt = new Date(Date.now() + 60_000)
    await server.db.insert(passwordResets).values({ tokenHash: sha256(token), userId: worker.id, expiresAt })
    const body = { token, password: 'une autre phrase assez longue' }
    expect((await call(server, auth.resetPassword, { body })).body.code).toBe('sso-required')
  })

  test('nobody registers, and no invitation is accepted, with a password of the domain', async () => {
    const about = { firstName: 'A', lastName: 'B', companyName: 'C', password: 'une phrase assez longue pour tous' }
    const { body } = await call(server, auth.register, { body: { ...about, email: `neuf@${DOMAIN}` } })
    expect(body.code).toBe('sso-required')
    const [invited] = await server.db
      .insert(users)
      .values({ email: `invite@${DOMAIN}`, firstName: 'A', lastName: 'B' })
      .returning()
    const token = generateToken()
    await server.db.insert(memberships).values({
      companyId: admin.companyId,
      userId: invited?.id ?? '',
      role: 'reader',
      invitationHash: sha256(token),
      invitationExpiresAt: new Date(Date.now() + 60_000),
    })
    const { companyName: _, ...accepted } = about
    const answer = await call(server, auth.acceptInvitation, { params: { token }, body: accepted })
    expect(answer.body.code).toBe('sso-required')
  })

  test('who is also elsewhere opens what is elsewhere, and does not move here', async () => {
    const other = await makeUser(server.db)
    await server.db
      .insert(memberships)
      .values({ companyId: other.companyId, userId: worker.id, role: 'reader', acceptedAt: new Date() })
    const { body } = await login(worker.email)
    expect(body.user.companyId).toBe(other.companyId)
    const moved = await call(
      server,
      auth.switchCompany,
      { body: { companyId: admin.companyId } },
      { token: body.token },
    )
    expect(moved.body.code).toBe('sso-required-there')
  })

  test('the one who keeps the spare key is neither disabled nor made less', async () => {
    const params = { id: spare.id }
    const gone = await call(server, api.users.disable, { params }, admin)
    expect({ status: gone.status, detail: gone.body.detail }).toEqual({
      status: 409,
      detail: expect.stringContaining('administrateur de secours'),
    })
    const { body: user } = await call(server, api.users.get, { params }, admin)
    const { firstName, lastName, phone, version } = user
    const less = { firstName, lastName, phone, role: 'reader', version }
    expect((await call(server, api.users.update, { params, body: less }, admin)).status).toBe(409)
  })

  test('it is neither switched off, removed, nor given another provider', async () => {
    expect((await call(server, sso.switch, { params: { id }, body: { on: false } }, admin)).status).toBe(409)
    expect((await call(server, sso.remove, { params: { id } }, admin)).status).toBe(409)
  })
})

test('no longer imposed, passwords open again; switched off, its sessions end', async () => {
  await enforce(false)
  expect((await login(worker.email)).status).toBe(200)
  const token = await makeSession(server.db, worker.id, admin.companyId)
  await server.db.update(sessions).set({ ssoConnectionId: id }).where(eq(sessions.userId, worker.id))
  expect((await call(server, sso.switch, { params: { id }, body: { on: false } }, admin)).status).toBe(200)
  expect((await call(server, auth.me, {}, { token })).status).toBe(401)
})

describe('nobody opens by it more than they hold', () => {
  const rights = ['sso.read', 'sso.write', 'operations.read'] as const
  test('neither by a rule, nor by speaking for those who hold more', async () => {
    const less = await makeUser(server.db, { companyId: admin.companyId, permissions: [...rights] })
    const [row] = await server.db.select().from(ssoConnections).where(eq(ssoConnections.id, id))
    // Without a rule of its own it still speaks for the members of its domain.
    await server.db.update(ssoConnections).set({ defaultRole: null }).where(eq(ssoConnections.id, id))
    const over = await call(server, sso.scimToken, { params: { id } }, less)
    expect({ status: over.status, code: over.body.code }).toEqual({ status: 403, code: 'forbidden' })
    const fresh = await makeSsoConnection(server, admin, 'sans-personne.fr', {
      activatedAt: null,
      defaultRole: null,
      kind: 'saml',
    })
    expect((await call(server, sso.scimToken, { params: { id: fresh.id } }, less)).status).toBe(200)
    await server.db.update(ssoConnections).set({ defaultRole: 'admin' }).where(eq(ssoConnections.id, fresh.id))
    expect((await call(server, sso.scimToken, { params: { id: fresh.id } }, less)).status).toBe(403)
    expect(row?.scimHash).toBeNull()
  })
})
