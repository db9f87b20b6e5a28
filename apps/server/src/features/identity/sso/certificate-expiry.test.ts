import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { makeSsoConnection } from '../../../../test/sso-flow.ts'
import { createSigner } from '../../../../test/sso-saml.ts'
import { notifications, ssoConnections } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { getReachedAlertDays, notifyExpiringConnections } from './certificates.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
})

const inDays = (days: number) => Temporal.PlainDate.from(getToday()).add({ days }).toString()
const listNotificationTitles = async () =>
  (await server.db.select().from(notifications).where(eq(notifications.companyId, admin.companyId)))
    .map(({ title }) => title)
    .sort()

test('thirty, seven and one day before, and not in between', () => {
  expect([31, 30, 8, 7, 2, 1, 0, -1].map(getReachedAlertDays)).toEqual([undefined, 30, 30, 7, 7, 1, 1, undefined])
})

test('a secret that is about to lapse is told once per step, by mail too', async () => {
  const { id } = await makeSsoConnection(server, admin, 'verrerie.fr', {
    name: 'Verrerie',
    secretExpiresOn: inDays(28),
  })
  const set = (days: number) =>
    server.db
      .update(ssoConnections)
      .set({ secretExpiresOn: inDays(days) })
      .where(eq(ssoConnections.id, id))
  await notifyExpiringConnections(server.deps)
  await notifyExpiringConnections(server.deps)
  expect(await listNotificationTitles()).toEqual(['Le secret client de «\u00a0Verrerie\u00a0» expire dans 28 jours'])
  const [mail] = await waitForMails(server, admin.email)
  expect(mail?.text).toContain('plus personne n’entre')
  await set(1)
  await notifyExpiringConnections(server.deps)
  expect(await listNotificationTitles()).toHaveLength(2)
  await set(-3)
  await notifyExpiringConnections(server.deps)
  expect(await listNotificationTitles()).toHaveLength(2)
  await server.db.delete(ssoConnections).where(eq(ssoConnections.id, id))
})

test('of several certificates it is the last that counts; a connection that is off is nobody’s worry', async () => {
  const [near, far] = [await createSigner(5), await createSigner(300)]
  const before = (await listNotificationTitles()).length
  const kind = 'saml'
  await makeSsoConnection(server, admin, 'deux.fr', { kind, certificates: [far.certificate, near.certificate] })
  await makeSsoConnection(server, admin, 'fermee.fr', { kind, certificates: [near.certificate], activatedAt: null })
  await notifyExpiringConnections(server.deps)
  expect(await listNotificationTitles()).toHaveLength(before)
  await makeSsoConnection(server, admin, 'une.fr', { kind, certificates: [near.certificate] })
  await notifyExpiringConnections(server.deps)
  expect(await listNotificationTitles()).toHaveLength(before + 1)
})
