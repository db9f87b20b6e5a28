import { auth } from '@voisol/contract/auth'
import { users as endpoints } from '@voisol/contract/users'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { waitForLink } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, memberships, notifications, throttles, users } from '../../../db/schema/index.ts'
import { buildTotp } from './second-factor.ts'

const server = useServer()
afterEach(() => void vi.useRealTimers())
beforeEach(async () => void (await server.db.delete(throttles)))

let count = 0
async function inviteUser(email = `invitee${++count}@exemple.fr`, role = 'client') {
  const admin = await makeUser(server.db)
  const body = { email, firstName: 'Lou', lastName: 'Petit', role }
  const answer = await call(server, endpoints.invite, { body }, { token: admin.token })
  expect(answer.status).toBe(200)
  return { admin, email, id: answer.body.id as string, link: await waitForLink(server, email, 'invitation') }
}
const names = { firstName: 'Louise', lastName: 'Petit' }
const accept = (token: string, body: Record<string, unknown> = {}) =>
  call(server, auth.acceptInvitation, { params: { token }, body: { ...names, password: PASSWORD, ...body } })
const read = (token: string) => call(server, auth.invitation, { params: { token } })

describe('an invitation', () => {
  test('of a new person sets a password and opens a session with the invited role', async () => {
    const { admin, email, link, id } = await inviteUser()
    expect((await read(link)).body).toMatchObject({ email, role: 'client', firstName: 'Lou', hasAccount: false })
    const { status, body } = await accept(link)
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ id, firstName: 'Louise', isAdmin: false, companyId: admin.companyId })
    expect((await call(server, auth.login, { body: { email, password: PASSWORD } })).status).toBe(200)
    expect((await read(link)).body.code).toBe('already-used')
    await waitForJobs(server)
    const told = await server.db.select().from(notifications).where(eq(notifications.userId, admin.id))
    expect(told.map(({ title }) => title)).toContain('Invitation acceptée')
    const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, admin.companyId))
    expect(JSON.stringify(entries)).not.toContain(link)
  })

  test('is accepted once by twenty concurrent calls', async () => {
    const { link, id } = await inviteUser()
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(answers.filter(({ body }) => body.code === 'already-used')).toHaveLength(19)
    expect(await server.db.select().from(memberships).where(eq(memberships.userId, id))).toHaveLength(1)
  })

  test('with a role, a company or permissions in the body is refused', async () => {
    const { link, id } = await inviteUser()
    for (const more of [{ isAdmin: true }, { role: 'admin' }, { companyId: 1 }, { id: 'x' }, { email: 'a@b.fr' }])
      expect((await accept(link, more)).status).toBe(422)
    const [row] = await server.db.select().from(memberships).where(eq(memberships.userId, id))
    expect(row).toMatchObject({ role: 'client', acceptedAt: null })
  })

  test('answers 410 when expired or withdrawn, 404 when unknown, 422 for a weak password', async () => {
    const { link, id } = await inviteUser(undefined, 'admin')
    expect((await accept(link, { password: 'quatorzelettre' })).body.code).toBe('weak-password')
    const set = (values: Partial<typeof memberships.$inferInsert>) =>
      server.db.update(memberships).set(values).where(eq(memberships.userId, id))
    await set({ invitationExpiresAt: new Date(Date.now() - 1000) })
    expect((await accept(link)).status).toBe(410)
    expect((await read(link)).status).toBe(410)
    await set({ invitationExpiresAt: new Date(Date.now() + 100_000), disabledAt: new Date() })
    expect((await accept(link)).status).toBe(410)
    expect((await read('x'.repeat(43))).status).toBe(404)
    expect((await accept('x'.repeat(43))).status).toBe(404)
  })
})

describe('an invitation of an existing account', () => {
  test('is accepted with the account’s password; its names and password stay unchanged', async () => {
    const person = await makeUser(server.db)
    const { admin, link } = await inviteUser(person.email)
    expect((await read(link)).body).toMatchObject({ hasAccount: true, firstName: 'Lou' })
    expect((await accept(link, { password: 'un autre mot de passe' })).body.code).toBe('credentials')
    const refused = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, person.companyId))
    expect(refused.at(-1)).toMatchObject({ outcome: 'refused', actor: person.email })
    const { body } = await accept(link)
    expect(body.user).toMatchObject({ id: person.id, firstName: person.firstName, companyId: admin.companyId })
    expect(body.user.companies).toHaveLength(2)
    const [row] = await server.db.select().from(users).where(eq(users.id, person.id))
    expect(row?.passwordHash).toBe(person.passwordHash)
  })

  test('also requires the second factor', async () => {
    const person = await makeUser(server.db)
    const { token } = person
    const { link } = await inviteUser(person.email)
    // The clock is set to the middle of a 30-second step, so that codes do not change during the test.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (Date.now() % 30_000) + 15_000 })
    const { secret } = (await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, { token })).body
    const now = (steps: number) => buildTotp(secret, '').generate({ timestamp: Date.now() + steps * 30_000 })
    await call(server, auth.enableSecondFactor, { body: { code: now(-1) } }, { token })
    expect((await accept(link)).body.code).toBe('second-factor-required')
    expect((await accept(link, { code: '000000' })).body.code).toBe('second-factor')
    expect((await accept(link, { code: now(0) })).status).toBe(200)
  })

  test('counts wrong passwords against the sign-in limits', async () => {
    const person = await makeUser(server.db)
    const { link } = await inviteUser(person.email)
    for (let i = 0; i < 5; i++) expect((await accept(link, { password: `essai numéro ${i}` })).status).toBe(401)
    expect((await accept(link)).status).toBe(429)
  })

  test('is accepted once by twenty concurrent calls with the password', async () => {
    const person = await makeUser(server.db)
    const { link } = await inviteUser(person.email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  test('of a second company to a new address requires the password set in the first', async () => {
    const first = await inviteUser('partagee@exemple.fr')
    const { admin, ...second } = await inviteUser('autre@exemple.fr')
    const body = { email: first.email, ...names, role: 'client' }
    await call(server, endpoints.invite, { body }, { token: admin.token })
    const link = await waitForLink(server, first.email, 'invitation', 2)
    expect(second.id).not.toBe(first.id)
    expect((await accept(first.link)).status).toBe(200)
    expect((await accept(link, { password: 'je prends ce compte' })).status).toBe(401)
    expect((await accept(link)).status).toBe(200)
  })
})
