import { auth } from '@voisol/contract/auth'
import { users } from '@voisol/contract/users'
import { whiteLabel } from '@voisol/contract/white-label'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { listMailsTo, waitForLink, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { loadMailBrand } from '../../../core/mail-brand.ts'
import { brandHosts, events, notifications } from '../../../db/schema/index.ts'
import { createOutboundClient } from '../../../integrations/post/outbound-client.ts'
import { recheckBrandHosts } from './brand-hosts.ts'

const server = useServer({ PUBLIC_URL: 'https://voisol.exemple.fr' })
const records = new Map<string, string[]>()
beforeEach(() => {
  records.clear()
  server.deps.outside = createOutboundClient({ inner: true, txt: async (name) => records.get(name) ?? [] })
})

type Who = { token: string; companyId: number }
const choose = (who: Who, customDomain: string, version = 0) =>
  call(server, whiteLabel.update, { params: { companyId: who.companyId }, body: { customDomain, version } }, who)
const prove = (who: Who) => call(server, whiteLabel.proveDomain, { params: { companyId: who.companyId } }, who)
const readDomain = async (who: Who) =>
  (await call(server, whiteLabel.domain, { params: { companyId: who.companyId } }, who)).body
const ask = async (domain: string) => (await call(server, whiteLabel.ask, { query: { domain } })).status
const readBrandOfHost = async (host: string) =>
  (await server.app.inject({ url: '/api/brand', headers: { host } })).json() as { version: number; companyName: string }
const write = async (who: Who) => {
  const { recordName, record } = await readDomain(who)
  records.set(recordName, [record])
}

test('a host is told as names are written, and the installation’s own names are refused', async () => {
  const admin = await makeUser(server.db)
  expect((await choose(admin, ' HTTPS://Énergie.Exemple-Lilas.FR/accueil ')).body.customDomain).toBe(
    'xn--nergie-9ua.exemple-lilas.fr',
  )
  const bad = [
    'voisol.exemple.fr',
    'sous.voisol.exemple.fr',
    'exemple.fr',
    'machine.local',
    'localhost',
    '127.0.0.1',
    'a b.fr',
    '-a.fr',
    `${'a'.repeat(64)}.fr`,
  ]
  for (const host of bad) expect((await choose(admin, host, 1)).status, host).toBe(422)
  expect((await choose(admin, '', 1)).status).toBe(200)
  expect(await readDomain(admin)).toMatchObject({ host: '', record: '', provedAt: null })
})

test('a host shows a brand once its owner has proved it', async () => {
  const admin = await makeUser(server.db)
  const host = 'energie.lilas.example'
  await choose(admin, host)
  expect(await readDomain(admin)).toMatchObject({ host, recordName: `_voisol.${host}`, target: 'voisol.exemple.fr' })
  expect((await prove(admin)).status).toBe(422)
  expect([await ask(host), (await readBrandOfHost(host)).version]).toEqual([404, 0])
  await write(admin)
  expect((await prove(admin)).body.provedAt).not.toBeNull()
  expect([await ask(host), await ask(`${host.toUpperCase()}.`), await ask('autre.example')]).toEqual([200, 200, 404])
  expect((await readBrandOfHost(`${host}:443`)).version).toBe(1)
  expect((await readBrandOfHost('voisol.exemple.fr')).version).toBe(0)
  const told = await server.db.select().from(events).where(eq(events.companyId, admin.companyId))
  expect(told.map(({ name }) => name)).toEqual(['brand.changed', 'brand.domain-proved'])
})

const HOUR = 3_600_000
const proveLongAgo = ({ companyId }: Who, hours: number) =>
  server.db
    .update(brandHosts)
    .set({ provedAt: new Date(Date.now() - hours * HOUR) })
    .where(eq(brandHosts.companyId, companyId))
const homeOf = async ({ companyId }: Who, now = new Date()) =>
  (await loadMailBrand(server.db, server.deps.config, companyId, now))?.home
const INSTALLATION = 'https://voisol.exemple.fr'

test('links of messages keep the installation’s host until 72 hours after the proof, to the second', async () => {
  const admin = await makeUser(server.db)
  await choose(admin, 'delai.lilas.example')
  expect((await readDomain(admin)).linksFrom).toBeNull()
  await write(admin)
  const { provedAt, linksFrom } = (await prove(admin)).body
  expect(Date.parse(linksFrom) - Date.parse(provedAt)).toBe(72 * HOUR)
  expect(await homeOf(admin, new Date(Date.parse(linksFrom) - 1000))).toBe(INSTALLATION)
  expect(await homeOf(admin, new Date(linksFrom))).toBe('https://delai.lilas.example')
})

test('an invitation and a new password carry their token to the installation’s host first, to the company’s later', async () => {
  const admin = await makeUser(server.db)
  const host = 'jeton.lilas.example'
  await choose(admin, host)
  await write(admin)
  await prove(admin)
  const newestHost = async (address: string, link: string, least = 1) => {
    await waitForLink(server, address, link, least)
    const pattern = new RegExp(`https://([^/\\s]+)/login\\?${link}=`)
    return (await listMailsTo(server, address)).map(({ text }) => pattern.exec(text ?? '')?.[1]).find(Boolean)
  }
  const hosts = async (invited: string, resets: number) => {
    const invitee = { email: `${invited}@exemple.fr`, firstName: 'A', lastName: 'B', role: 'reader' }
    expect((await call(server, users.invite, { body: invitee }, admin)).status).toBe(200)
    await call(server, auth.forgotPassword, { body: { email: admin.email } })
    return [await newestHost(invitee.email, 'invitation'), await newestHost(admin.email, 'reset', resets)]
  }
  const own = new URL(INSTALLATION).host
  expect(await hosts('tout-de-suite', 1)).toEqual([own, own])
  await proveLongAgo(admin, 73)
  expect(await hosts('plus-tard', 2)).toEqual([host, host])
})

test('every administrator is told in the app and by mail, once and with the moment; nobody else is', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const [other, reader] = [
    await makeUser(server.db, { companyId }),
    await makeUser(server.db, { companyId, role: 'reader' }),
  ]
  const host = 'prevenus.lilas.example'
  await choose(admin, host)
  await write(admin)
  await prove(admin)
  await prove(admin)
  const rows = await server.db.select().from(notifications).where(eq(notifications.companyId, companyId))
  expect(rows.map(({ userId }) => userId).sort()).toEqual([admin.id, other.id].sort())
  expect(rows[0]?.message).toMatch(/À partir du \d\d\/\d\d\/\d{4} à \d\d:\d\d/)
  for (const { email } of [admin, other]) {
    const [mail] = await waitForMails(server, email)
    expect(mail?.subject).toContain(host)
    expect(mail?.text).toContain(`${INSTALLATION}/white-label`)
  }
  expect(rows.some(({ userId }) => userId === reader.id)).toBe(false)
})

test('another host waits anew, and so does the first when it comes back; a record that was missed does not', async () => {
  const admin = await makeUser(server.db)
  const [first, second] = ['premier.lilas.example', 'second.lilas.example']
  const take = async (host: string, version: number) => {
    await choose(admin, host, version)
    await write(admin)
    await prove(admin)
  }
  await take(first, 0)
  await proveLongAgo(admin, 100)
  expect(await homeOf(admin)).toBe(`https://${first}`)
  await server.db.update(brandHosts).set({ lapsedAt: new Date() }).where(eq(brandHosts.companyId, admin.companyId))
  expect((await prove(admin)).body.lapsedAt).toBeNull()
  expect(await homeOf(admin)).toBe(`https://${first}`)
  await take(second, 1)
  expect(await homeOf(admin)).toBe(INSTALLATION)
  await take(first, 2)
  expect(await homeOf(admin)).toBe(INSTALLATION)
})

test('the portal is installed under the name and the colour of whoever proved the host', async () => {
  const admin = await makeUser(server.db)
  const host = 'installe.lilas.example'
  const manifest = async (at: string) => {
    const answer = await server.app.inject({ url: '/portal.webmanifest', headers: { host: at } })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, expect.stringMatching(/manifest\+json/)])
    return answer.json()
  }
  const product = await manifest('voisol.exemple.fr')
  expect(product).toMatchObject({ name: 'Voisol, mon espace', scope: '/client-portal', start_url: '/client-portal' })
  const look = { customDomain: host, companyName: 'Les Lilas', primaryColor: '#1B5E20', version: 0 }
  await call(server, whiteLabel.update, { params: { companyId: admin.companyId }, body: look }, admin)
  expect(await manifest(host)).toEqual(product)
  await write(admin)
  await prove(admin)
  const own = { name: 'Les Lilas, mon espace', short_name: 'Les Lilas', theme_color: '#1B5E20' }
  expect(await manifest(`${host}:443`)).toEqual({ ...product, ...own })
  expect(await manifest('voisol.exemple.fr')).toEqual(product)
  const longer = { companyName: 'Les Tuiles Bleues du Quai', version: 1 }
  await call(server, whiteLabel.update, { params: { companyId: admin.companyId }, body: longer }, admin)
  expect((await manifest(host)).short_name).toBe('Mon espace')
})

test('two ask for a host: the first who proves it has it', async () => {
  const [one, other] = [await makeUser(server.db), await makeUser(server.db)]
  const host = 'partage.lilas.example'
  for (const who of [one, other]) expect((await choose(who, host)).status).toBe(200)
  await write(one)
  expect((await prove(one)).status).toBe(200)
  await write(other)
  expect((await prove(other)).status).toBe(409)
  const third = await makeUser(server.db)
  expect((await choose(third, host)).status).toBe(409)
})

test('another host begins unproved, and the company’s own alone proves it', async () => {
  const [admin, stranger] = [await makeUser(server.db), await makeUser(server.db)]
  await choose(admin, 'un.lilas.example')
  await write(admin)
  await prove(admin)
  await choose(admin, 'deux.lilas.example', 1)
  expect([await ask('un.lilas.example'), await ask('deux.lilas.example')]).toEqual([404, 404])
  expect((await prove({ token: stranger.token, companyId: admin.companyId })).status).toBe(404)
})

test('a record that is gone is told, forgiven when it is back, and ends the host a week later', async () => {
  const admin = await makeUser(server.db)
  const host = 'nuit.lilas.example'
  await choose(admin, host)
  await write(admin)
  await prove(admin)
  const kept = new Map(records)
  records.clear()
  await recheckBrandHosts(server.deps)
  expect((await readDomain(admin)).lapsedAt).not.toBeNull()
  expect(await ask(host)).toBe(200)
  const rows = await server.db.select().from(notifications).where(eq(notifications.companyId, admin.companyId))
  expect(rows.map(({ title }) => title)).toContain(`La preuve de ${host} a disparu du DNS`)
  for (const [name, texts] of kept) records.set(name, texts)
  await recheckBrandHosts(server.deps)
  expect((await readDomain(admin)).lapsedAt).toBeNull()
  records.clear()
  await server.db
    .update(brandHosts)
    .set({ lapsedAt: new Date(Date.now() - 8 * 86_400_000) })
    .where(eq(brandHosts.companyId, admin.companyId))
  await recheckBrandHosts(server.deps)
  expect(await ask(host)).toBe(404)
})

test('whoever tries names is slowed down', async () => {
  const answers = await Promise.all(Array.from({ length: 310 }, (_, at) => ask(`n${at}.example`)))
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0)
})
