import { sso } from '@voisol/contract/sso'
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { allowLocalProviders, dnsTxtRecords, makeSsoConnection } from '../../../../test/sso-flow.ts'
import { events, notifications, ssoDomains } from '../../../db/schema/index.ts'
import { LAPSED_DOMAIN_GRACE_DAYS, listProvedDomains, recheckDomains } from './domains.ts'

const server = useServer()
const DOMAIN = 'tisserands.fr'
let admin: Awaited<ReturnType<typeof makeUser>>
let connection: Awaited<ReturnType<typeof makeSsoConnection>>
beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  connection = await makeSsoConnection(server, admin, DOMAIN)
})
beforeEach(() => {
  dnsTxtRecords.set(DOMAIN, ['v=spf1 -all', 'voisol-verification=essai'])
})

const row = async () => (await server.db.select().from(ssoDomains).where(eq(ssoDomains.domain, DOMAIN)))[0]
const listNotificationTitles = async () => {
  const all = await server.db.select().from(notifications).where(eq(notifications.companyId, admin.companyId))
  return all.map(({ title }) => title).sort()
}
const lapsedDaysAgo = (days: number) =>
  server.db
    .update(ssoDomains)
    .set({ lapsedAt: new Date(Date.now() - days * 86_400_000) })
    .where(eq(ssoDomains.domain, DOMAIN))
const start = () => call(server, sso.start, { body: { email: `ada@${DOMAIN}` } })

test('a record that is there stays believed; name servers that do not answer change nothing', async () => {
  await recheckDomains(server.deps)
  expect(await row()).toMatchObject({ lapsedAt: null, checkedAt: expect.any(Date) })
  const { txt } = server.deps.outside
  server.deps.outside.txt = async () => {
    throw new Error('SERVFAIL')
  }
  await recheckDomains(server.deps)
  server.deps.outside.txt = txt
  expect([(await row())?.lapsedAt, await listNotificationTitles()]).toEqual([null, []])
})

test('missed, it is told once and still believed; back again, it is as if it had never been away', async () => {
  dnsTxtRecords.set(DOMAIN, ['v=spf1 -all', 'voisol-verification=autre'])
  await recheckDomains(server.deps)
  await recheckDomains(server.deps)
  expect(await listNotificationTitles()).toEqual([`La preuve de ${DOMAIN} a disparu du DNS`])
  expect(await listProvedDomains(server.db, connection)).toEqual([DOMAIN])
  const [shown] = (await call(server, sso.list, {}, admin)).body.items[0].domains
  const days = (Date.parse(shown.believedUntil) - Date.parse(shown.lapsedAt)) / 86_400_000
  expect(days).toBe(LAPSED_DOMAIN_GRACE_DAYS)
  dnsTxtRecords.set(DOMAIN, ['voisol-verification=essai'])
  await recheckDomains(server.deps)
  expect((await row())?.lapsedAt).toBeNull()
})

test('after its grace nobody comes in by it, until it is proved again', async () => {
  dnsTxtRecords.set(DOMAIN, [])
  await lapsedDaysAgo(LAPSED_DOMAIN_GRACE_DAYS - 0.5)
  await recheckDomains(server.deps)
  expect(await listProvedDomains(server.db, connection)).toEqual([DOMAIN])
  await lapsedDaysAgo(LAPSED_DOMAIN_GRACE_DAYS + 0.01)
  await recheckDomains(server.deps)
  await recheckDomains(server.deps)
  expect(await listProvedDomains(server.db, connection)).toEqual([])
  expect((await start()).body.code).toBe('sso-unknown')
  expect((await listNotificationTitles()).filter((title) => title === `${DOMAIN} n’est plus prouvé`)).toHaveLength(1)
  const heard = await server.db
    .select()
    .from(events)
    .where(and(eq(events.companyId, admin.companyId), eq(events.name, 'sso.domain-lapsed')))
  expect(heard.map(({ data }) => (data as { state: string }).state)).toEqual(['missing', 'refused'])
  dnsTxtRecords.set(DOMAIN, ['voisol-verification=essai'])
  const again = { params: { id: connection.id }, body: { domain: DOMAIN } }
  const [proved] = (await call(server, sso.proveDomain, again, admin)).body.domains
  expect(proved).toMatchObject({ lapsedAt: null, believedUntil: null, provedAt: expect.any(String) })
})

test('a demonstration, whose domains stand in no DNS, is left alone', async () => {
  const { companyId } = await makeUser(server.db)
  await server.asOwner(`update companies set is_demo = true where id = ${companyId}`)
  const shown = await makeSsoConnection(server, { companyId }, 'demonstration.example')
  await recheckDomains(server.deps)
  const [kept] = await server.db.select().from(ssoDomains).where(eq(ssoDomains.connectionId, shown.id))
  expect([kept?.lapsedAt, kept?.checkedAt]).toEqual([null, null])
})
