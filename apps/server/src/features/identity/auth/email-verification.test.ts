import { auth } from '@voisol/contract/auth'
import { participants } from '@voisol/contract/participants'
import { users as endpoints } from '@voisol/contract/users'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { emailVerifications, users } from '../../../db/schema/index.ts'

const server = useServer()
let count = 0
const register = async () => {
  const email = `nouvelle${++count}@exemple.fr`
  const body = {
    firstName: 'Ana',
    lastName: 'Roux',
    companyName: 'Essai',
    email,
    password: PASSWORD,
  }
  const answer = await call(server, auth.register, { body })
  return { email, token: answer.body.token as string, user: answer.body.user }
}
const linkTo = async (email: string) => {
  const [mail] = await waitForMails(server, email)
  return /login\?verify=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}
const invite = (token: string, email: string) =>
  call(server, endpoints.invite, { body: { email, firstName: 'Léo', lastName: 'Petit', role: 'client' } }, { token })
const verify = (token: string, as: { token?: string } = {}, password?: string) =>
  call(server, auth.verifyEmail, { body: { token, ...(password !== undefined && { password }) } }, as)

test('an unconfirmed address cannot send mail to others until its link is used', async () => {
  const { email, token, user } = await register()
  expect(user.emailVerified).toBe(false)
  const refused = await invite(token, 'leo@exemple.fr')
  expect([refused.status, refused.body.code]).toEqual([403, 'email-unverified'])
  const csv = 'email;prénom;nom\nzoe@exemple.fr;Zoé;Petit'
  expect((await call(server, endpoints.import, { body: { csv, dryRun: false } }, { token })).status).toBe(403)
  const person = { kind: 'person', firstName: 'Léo', lastName: 'Petit', email: 'leo@exemple.fr' }
  const { body: made } = await call(server, participants.create, { body: person }, { token })
  expect((await call(server, participants.invite, { params: { id: made.id } }, { token })).status).toBe(403)
  await waitForJobs(server)
  expect([...(await listMailsTo(server, 'leo@exemple.fr')), ...(await listMailsTo(server, 'zoe@exemple.fr'))]).toEqual(
    [],
  )

  const link = await linkTo(email)
  expect((await verify(link, { token })).status).toBe(200)
  expect((await verify(link)).status).toBe(200)
  expect((await call(server, auth.me, {}, { token })).body.emailVerified).toBe(true)
  expect((await invite(token, 'leo@exemple.fr')).status).toBe(200)
})

test('the link alone confirms nothing without a session or the password of the account', async () => {
  const { email } = await register()
  const link = await linkTo(email)
  const stranger = await makeUser(server.db)
  for (const as of [{}, stranger]) {
    const refused = await verify(link, as)
    expect(refused.body).toMatchObject({ status: 422, issues: [{ path: 'password' }] })
  }
  expect((await verify(link, {}, 'faux')).body).toMatchObject({ status: 422, issues: [{ path: 'password' }] })
  const [before] = await server.db.select().from(users).where(eq(users.email, email))
  expect(before?.emailVerifiedAt).toBeNull()
  expect((await verify(link, {}, PASSWORD)).status).toBe(200)
  const [after] = await server.db.select().from(users).where(eq(users.email, email))
  expect(after?.emailVerifiedAt).not.toBeNull()
})

test('limits the guesses of the password sent with the link', async () => {
  const { email } = await register()
  const link = await linkTo(email)
  for (let time = 0; time < 5; time++) expect((await verify(link, {}, `faux ${time}`)).status).toBe(422)
  expect((await verify(link, {}, PASSWORD)).status).toBe(429)
})

test('refuses an old or unknown link, or one of another address', async () => {
  const { email } = await register()
  const link = await linkTo(email)
  expect((await verify('x'.repeat(43))).body.code).toBe('link-expired')
  await server.db
    .update(emailVerifications)
    .set({ expiresAt: new Date(0) })
    .where(eq(emailVerifications.email, email))
  expect((await verify(link)).body.code).toBe('link-expired')
  const later = new Date(Date.now() + 60_000)
  await server.db
    .update(emailVerifications)
    .set({ expiresAt: later, email: 'autre@exemple.fr' })
    .where(eq(emailVerifications.email, email))
  expect((await verify(link)).body.code).toBe('link-expired')
  const [row] = await server.db.select().from(users).where(eq(users.email, email))
  expect(row?.emailVerifiedAt).toBeNull()
})

test('sends the link again three times an hour at most, and never to a confirmed address', async () => {
  const { token } = await register()
  const again = (who: string) => call(server, auth.askVerification, {}, { token: who })
  const answers = []
  for (let time = 0; time < 4; time++) answers.push((await again(token)).status)
  expect(answers).toEqual([200, 200, 200, 429])
  const known = await makeUser(server.db)
  expect((await again(known.token)).status).toBe(200)
  expect(await server.db.select().from(emailVerifications).where(eq(emailVerifications.userId, known.id))).toEqual([])
})

test('one address gets six invitations a day at most from all companies together', async () => {
  const answers = []
  for (let n = 0; n < 8; n++)
    answers.push((await invite((await makeUser(server.db)).token, 'harcele@exemple.fr')).status)
  expect(answers).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
})
