import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { makeSso } from '../../../../test/sso-flow.ts'
import { newSigner } from '../../../../test/sso-saml.ts'
import { notifications, ssoConnections } from '../../../db/schema/index.ts'
import { today } from '../../../today.ts'
import { stepOf, watchConnections } from './watch.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
})

const inDays = (days: number) => Temporal.PlainDate.from(today()).add({ days }).toString()
const told = async () =>
  (await server.db.select().from(notifications).where(eq(notifications.companyId, admin.companyId)))
    .map(({ title }) => title)
    .sort()

test('thirty, seven and one day before, and not in between', () => {
  expect([31, 30, 8, 7, 2, 1, 0, -1].map(stepOf)).toEqual([undefined, 30, 30, 7, 7, 1, 1, undefined])
})

test('a secret that is about to lapse is told once per step, by mail too', async () => {
  const { id } = await makeSso(server, admin, 'verrerie.fr', { name: 'Verrerie', secretExpiresOn: inDays(28) })
  const set = (days: number) =>
    server.db
      .update(ssoConnections)
      .set({ secretExpiresOn: inDays(days) })
      .where(eq(ssoConnections.id, id))
  await watchConnections(server.deps)
  await watchConnections(server.deps)
  expect(await told()).toEqual(['Le secret client de «\u00a0Verrerie\u00a0» expire dans 28 jours'])
  const [mail] = await waitForMails(server, admin.email)
  expect(mail?.text).toContain('plus personne n’entre')
  await set(1)
  await watchConnections(server.deps)
  expect(await told()).toHaveLength(2)
  await set(-3)
  await watchConnections(server.deps)
  expect(await told()).toHaveLength(2)
  await server.db.delete(ssoConnections).where(eq(ssoConnections.id, id))
})

test('of several certificates it is the last that counts; a connection that is off is nobody’s worry', async () => {
  const [near, far] = [await newSigner(5), await newSigner(300)]
  const before = (await told()).length
  const kind = 'saml'
  await makeSso(server, admin, 'deux.fr', { kind, certificates: [far.certificate, near.certificate] })
  await makeSso(server, admin, 'fermee.fr', { kind, certificates: [near.certificate], activatedAt: null })
  await watchConnections(server.deps)
  expect(await told()).toHaveLength(before)
  await makeSso(server, admin, 'une.fr', { kind, certificates: [near.certificate] })
  await watchConnections(server.deps)
  expect(await told()).toHaveLength(before + 1)
})
