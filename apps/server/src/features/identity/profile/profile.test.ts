import { auth } from '@voisol/contract/auth'
import { profile } from '@voisol/contract/profile'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { makeConsents, makeOperationFixture } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { addCompanyMembership } from '../../../../test/session-fixtures.ts'
import { makeSsoConnection } from '../../../../test/sso-flow.ts'
import { companies, memberships, participants, participations, users } from '../../../db/schema/index.ts'
import { readZip } from '../../../files/zip.ts'

const server = useServer()
/** The files of the downloaded archive by name. */
async function downloadExport(token: string) {
  const { path: url } = profile.export
  const { headers, rawPayload } = await server.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  return { headers, files: new Map(readZip(rawPayload).map(({ name, read }) => [name, read().toString()])) }
}
const form = { firstName: 'Anaïs', lastName: 'Morel', phone: '06 12 34 56 78' }
const save = (token: string, more: Record<string, unknown>) =>
  call(server, profile.update, { body: { ...form, ...more } }, { token })

test('changes the user’s names, and refuses an outdated version', async () => {
  const user = await makeUser(server.db, { isAdmin: false })
  expect((await save(user.token, { version: 1 })).body).toMatchObject({ ...form, version: 2, email: user.email })
  expect((await save(user.token, { version: 1 })).body.code).toBe('stale')
  const answers = await Promise.all(['A', 'B', 'C'].map((lastName) => save(user.token, { lastName, version: 2 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('users cannot change their own role, company or permissions', async () => {
  const user = await makeUser(server.db, { isAdmin: false })
  const bodies = [
    { isAdmin: true },
    { role: 'admin' },
    { companyId: 1 },
    { id: user.id },
    { status: 'active' },
    { email: 'a@b.fr' },
  ]
  for (const more of bodies) expect((await save(user.token, { version: 1, ...more })).status).toBe(422)
  const poisoned = await server.app.inject({
    method: 'PATCH',
    url: profile.update.path,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ ...form, version: 1 }).replace('{', '{"__proto__":{"isAdmin":true},'),
  })
  expect(poisoned.statusCode).toBe(422)
  const [row] = await server.db.select().from(memberships).where(eq(memberships.userId, user.id))
  expect(row?.role).toBe('client')
  const [account] = await server.db.select().from(users).where(eq(users.id, user.id))
  expect(account).toMatchObject({ firstName: 'Camille', version: 1 })
})

test('the export contains all data about the person and no credentials', async () => {
  const user = await makeUser(server.db)
  const other = await makeUser(server.db, { companyId: user.companyId })
  await save(other.token, { version: 1 })
  await call(server, auth.login, { body: { email: user.email, password: PASSWORD } })
  await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, { token: user.token })
  const { headers, files } = await downloadExport(user.token)
  expect(headers['content-disposition']).toMatch(/mes-donnees-voisol-\d{4}-\d\d-\d\d\.zip/)
  const text = files.get('mes-donnees.json') ?? ''
  const body = JSON.parse(text)
  expect(body.account).toMatchObject({ email: user.email, recoveryCodesLeft: 0 })
  expect(body.memberships).toMatchObject([{ companyId: user.companyId, role: 'admin' }])
  expect(body.sessions).toHaveLength(2)
  expect(body.auditEntries.map((e: { label: string }) => e.label)).toContain('Se connecter')
  expect(text).not.toContain(other.email)
  expect(text).not.toMatch(/argon2|hash|secret"/i)
  expect([...files.keys()]).toContain('LISEZ-MOI.txt')
})

test('a client takes away their meters, agreements and readings, of their own days alone', async () => {
  const scene = await makeOperationFixture(server, {
    from: '2025-03-29',
    to: '2025-04-02',
    producers: [900],
    consumers: [400, 555],
  })
  const client = await makeUser(server.db, { companyId: scene.companyId, isAdmin: false })
  const [own, theirs] = scene.consumers
  const seat = eq(participations.pointId, own?.id ?? '')
  const [row] = await server.db.update(participations).set({ startsOn: '2025-03-30' }).where(seat).returning()
  const mine = eq(participants.id, row?.participantId ?? '')
  await server.db.update(participants).set({ userId: client.id, notes: 'À surveiller' }).where(mine)
  await makeConsents(server.db, scene.companyId, [row?.participantId ?? ''])
  const { files } = await downloadExport(client.token)
  const readings = files.get(`mesures-${own?.prm}-consommation.csv`) ?? ''
  // A Sunday of 23 hours and two whole days, with their header.
  expect(readings.trim().split('\r\n')).toHaveLength(1 + 92 + 96 + 96)
  expect(readings).toContain('30/03/2025 03:00;heure d’été;400;mesuré')
  expect(readings).not.toContain('29/03/2025')
  expect(files.get('consentements.csv')).toContain('Comparaison avec mes voisins;2026-01;2025-01-01')
  expect(files.get('compteurs.csv')).toContain(`${own?.prm};consommation`)
  const everything = [...files.values()].join()
  for (const secret of [theirs?.prm, ';555;', 'À surveiller']) expect(everything).not.toContain(secret)
})

test('a password session exports no company that it may not enter, and names it', async () => {
  const user = await makeUser(server.db, { email: 'partout@atelier-du-lac.fr' })
  const join = async (more: { secondFactor?: 'everyone' } = {}) => {
    const admin = await makeUser(server.db)
    const { companyId } = admin
    await server.db
      .update(companies)
      .set({ name: `Organisation ${companyId}`, ...more })
      .where(eq(companies.id, companyId))
    await addCompanyMembership(server, user.id, companyId)
    return admin
  }
  const [open, strict, imposed] = [await join(), await join({ secondFactor: 'everyone' }), await join()]
  const more = { enforcedAt: new Date(), breakGlassId: imposed.id }
  await makeSsoConnection(server, imposed, 'atelier-du-lac.fr', more)
  const { files } = await downloadExport(user.token)
  const data = JSON.parse(files.get('mes-donnees.json') ?? '{}')
  const ids = data.memberships.map(({ companyId }: { companyId: number }) => companyId)
  expect(ids).toEqual([user.companyId, open.companyId].sort((a, b) => a - b))
  const readMe = files.get('LISEZ-MOI.txt')
  expect(readMe).toContain(`sauf pour\u00a0: Organisation ${strict.companyId}, Organisation ${imposed.companyId}.`)
})
