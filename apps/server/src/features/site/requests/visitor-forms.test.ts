import type { Endpoint } from '@voisol/contract/endpoint'
import { CONTACT_SUBJECTS, requests as endpoints } from '@voisol/contract/requests'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readAttachedCalendar } from '../../../../test/calendar.ts'
import { call } from '../../../../test/client.ts'
import { ensureSiteOwner, makeSiteAdmin } from '../../../../test/factories.ts'
import { makeRequestableContent } from '../../../../test/factories-site.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { auditEntries, notifications, requests, throttles } from '../../../db/schema/index.ts'

const server = useServer()
let keeper: number
beforeAll(async () => {
  keeper = await ensureSiteOwner(server.db)
})
beforeEach(async () => {
  await server.db.delete(throttles)
  await server.db.delete(requests)
  // The mails of a test that counted dozens of requests are not waited for by the next.
  await server.db.execute(sql`delete from jobs.job where state = 'created'`)
})

let count = 0
const newEmail = () => `lecteur${++count}@exemple.fr`
const NAMES = { firstName: 'Zoé', lastName: 'Lefèvre', company: 'Copropriété du Parc' }
const MESSAGE = { phone: '', subject: 'tarifs', message: 'Combien coûte Voisol pour vingt logements ?' }
const send = (e: Endpoint, body: object, slug?: string) => call(server, e, { params: { slug }, body })
const contact = (more: object = {}) => send(endpoints.contact, { ...NAMES, ...MESSAGE, email: newEmail(), ...more })
const kept = () => server.db.select().from(requests)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Every form: how it is sent, to what it needs. */
const FORMS: [string, (body: object) => Promise<Awaited<ReturnType<typeof call>>>][] = [
  ['contact', (body) => send(endpoints.contact, { ...NAMES, ...MESSAGE, ...body })],
  ['newsletter', (body) => send(endpoints.newsletter, body)],
  ['white-paper', async (body) => send(endpoints.whitePaper, { ...NAMES, ...body }, await paper())],
  ['webinar', async (body) => send(endpoints.webinar, { ...NAMES, ...body }, await webinar())],
]
let paperMade: Promise<string> | undefined
let webinarMade: Promise<string> | undefined
const paper = () => (paperMade ??= makeRequestableContent(server.db, 'white-paper'))
const webinar = () =>
  (webinarMade ??= makeRequestableContent(server.db, 'webinar', {
    startsAt: inDays(7),
    minutes: 45,
    joinUrl: 'https://visio.exemple.fr/w',
  }))

describe.each(FORMS)('%s', (kind, form) => {
  test('is kept once and answered alike, by ten at once, with one mail', async () => {
    const email = newEmail()
    const answers = await Promise.all(Array.from({ length: 10 }, () => form({ email })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.success).toBe(true)
    expect(await kept()).toMatchObject([{ companyId: keeper, kind, email, status: 'new' }])
    await waitForMails(server, email)
    await waitForJobs(server)
    expect(await listMailsTo(server, email)).toHaveLength(1)
  })

  test('a script that fills the hidden field is answered alike and leaves nothing', async () => {
    const email = newEmail()
    const { status, body } = await form({ email, website: 'https://spam.example' })
    const honest = await form({ email: newEmail() })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(Object.keys(honest.body))
    expect(body.message).toBe(honest.body.message)
    expect((await kept()).map((row) => row.email)).not.toContain(email)
    await waitForJobs(server)
    expect(await listMailsTo(server, email)).toEqual([])
  })

  test('is counted by address and by e-mail', async () => {
    const email = newEmail()
    for (let n = 0; n < 10; n++) expect((await form({ email })).status).toBe(200)
    expect((await form({ email })).body.code).toBe('throttled')
    for (let n = 0; n < 19; n++) expect((await form({ email: newEmail() })).status).toBe(200)
    const { status, headers } = await form({ email: newEmail() })
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  test('an e-mail that is none is refused beside its field', async () => {
    for (const email of ['', 'zoe', 'a@b\r\nBcc: c@d.fr', null, undefined, 4, `${'x'.repeat(250)}@a.fr`]) {
      const { status, body } = await form({ email })
      expect(status).toBe(422)
      expect(body.issues[0].path).toBe('email')
    }
    for (const more of [{ status: 'closed' }, { companyId: 2 }, { website: 'x'.repeat(201) }, { website: null }])
      expect((await form({ email: newEmail(), ...more })).status).toBe(422)
    expect(await kept()).toEqual([])
  })

  test('is audited without saying who asked', async () => {
    const email = newEmail()
    await form({ email })
    const [row] = await kept()
    const entries = await server.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.target, row?.id ?? ''))
    expect(entries).toMatchObject([{ companyId: keeper, actor: 'visiteur', outcome: 'done' }])
    expect(JSON.stringify(entries)).not.toMatch(/lecteur\d|Lefèvre/)
  })
})

describe('names', () => {
  const named = FORMS.filter(([kind]) => kind !== 'newsletter')
  test.each(named)('%s refuses those that are none', async (_, form) => {
    for (const field of ['firstName', 'lastName'])
      for (const value of ['', '  ', undefined, null, 3, 'x'.repeat(201), '\u0007', '…']) {
        const { status, body } = await form({ email: newEmail(), [field]: value })
        expect(status).toBe(422)
        expect(body.issues[0].path).toBe(field)
      }
    expect((await form({ email: newEmail(), company: 'x'.repeat(201) })).body.issues[0].path).toBe('company')
  })

  test.each(named)('%s keeps scripts as text, in every mail', async (_, form) => {
    const email = newEmail()
    const nasty = { firstName: '<script>alert(1)</script>', lastName: 'A & B' }
    expect((await form({ email, ...nasty })).status).toBe(200)
    const [row] = await kept()
    expect(row).toMatchObject(nasty)
    const [mail] = await waitForMails(server, email)
    expect(mail?.html).not.toContain('<script')
    expect(mail?.text).toContain('Bonjour,')
  })

  test.each(named)('%s takes no name that would be another line of a mail', async (_, form) => {
    const email = newEmail()
    const answer = await form({ email, lastName: 'A\r\nBcc: autre@exemple.fr\r\n\r\nB' })
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, 'lastName'])
    await waitForJobs(server)
    expect([...(await listMailsTo(server, 'autre@exemple.fr')), ...(await listMailsTo(server, email))]).toEqual([])
  })
})

describe('a message to the team', () => {
  test('reaches the administrators of the site and the support mailbox, and the visitor learns that it arrived', async () => {
    // Whoever comes later still hears of what waits to be told.
    await waitForJobs(server)
    const admin = await makeSiteAdmin(server.db)
    const email = newEmail()
    await contact({ email, message: 'Bonjour,\n\n<b>vingt</b> logements & un toit', phone: '06 12 34 56 78' })
    await waitForJobs(server)
    const told = await server.db.select().from(notifications).where(eq(notifications.userId, admin.id))
    expect(told).toMatchObject([{ title: 'Nouveau message du site', category: 'support' }])
    const mail = await waitUntil(async () =>
      (await listMailsTo(server, 'support@voisol.fr')).find(({ text }) => text?.includes(email)),
    )
    expect(mail.subject).toBe('Nouveau message du site\u00a0: Tarifs')
    expect(mail.replyTo?.[0]?.address).toBe(email)
    expect(mail.html).toContain('&lt;b&gt;vingt&lt;/b&gt; logements &amp; un toit')
    const [thanks] = await waitForMails(server, email)
    expect(thanks?.subject).toBe('Votre message est bien arrivé')
    expect(thanks?.text).not.toContain('vingt')
  })

  test('every subject is accepted, any other refused', async () => {
    for (const subject of CONTACT_SUBJECTS) expect((await contact({ subject })).status).toBe(200)
    for (const subject of ['', 'x', null, undefined, 4])
      expect((await contact({ subject })).body.issues[0].path).toBe('subject')
  })

  test('too short, too long or empty is refused beside the field', async () => {
    for (const message of ['', 'court', ' '.repeat(30), '\u0007'.repeat(12), 'x'.repeat(5001), null, undefined, 4]) {
      const { status, body } = await contact({ message })
      expect(status).toBe(422)
      expect(body.issues[0].path).toBe('message')
    }
    for (const phone of ['abc', '12', '06<script>', null])
      expect((await contact({ phone })).body.issues[0].path).toBe('phone')
    expect(await kept()).toEqual([])
  })

  test('another one of the same person is another request', async () => {
    const email = newEmail()
    await contact({ email })
    await contact({ email, message: 'Et pour trente logements, combien ?' })
    expect(await kept()).toHaveLength(2)
  })
})

describe('the newsletter', () => {
  const subscription = (key: string, choice = 'confirm') => send(endpoints.subscription, { key, choice })
  const keyTo = async (email: string, least = 1) =>
    /\/newsletter\?cle=([\w.-]+)/.exec((await waitForMails(server, email, least))[0]?.text ?? '')?.[1] ?? ''
  const stateOf = async (email: string) =>
    (await server.db.select().from(requests).where(eq(requests.email, email)))[0]?.subscription

  test('begins with the link that was mailed, and ends with it', async () => {
    const email = newEmail()
    await send(endpoints.newsletter, { email })
    expect(await stateOf(email)).toBe('waiting')
    const key = await keyTo(email)
    for (const _ of [1, 2]) expect((await subscription(key)).body.success).toBe(true)
    expect(await stateOf(email)).toBe('confirmed')
    await send(endpoints.newsletter, { email })
    expect(await stateOf(email)).toBe('confirmed')
    for (const _ of [1, 2]) expect((await subscription(key, 'leave')).status).toBe(200)
    expect(await stateOf(email)).toBe('left')
    await send(endpoints.newsletter, { email })
    expect(await stateOf(email)).toBe('waiting')
    expect(await keyTo(email, 2)).toBe(key)
  })

  test('no other key is one', async () => {
    const [email, other] = [newEmail(), newEmail()]
    await send(endpoints.newsletter, { email })
    await send(endpoints.newsletter, { email: other })
    const [key, otherKey] = [await keyTo(email), await keyTo(other)]
    const mixed = `${key.slice(0, 36)}${otherKey.slice(36)}`
    const white = (await FORMS[2]?.[1]({ email: newEmail() }))?.body.url.split('key=')[1]
    for (const bad of [
      mixed,
      white,
      `${key.slice(0, -2)}AA`,
      `${key}x`,
      'x'.repeat(40),
      `${key.slice(0, 36)}.`.padEnd(80, '_'),
    ])
      expect((await subscription(bad)).body.code).toBe('link-expired')
    for (const bad of ['', 'x'.repeat(19), 'x'.repeat(401), null])
      expect((await subscription(bad as string)).status).toBe(422)
    expect((await send(endpoints.subscription, { key, choice: 'x' })).status).toBe(422)
    expect([await stateOf(email), await stateOf(other)]).toEqual(['waiting', 'waiting'])
  })

  test('is also begun with a white paper, when its box is ticked', async () => {
    const email = newEmail()
    await send(endpoints.whitePaper, { ...NAMES, email, newsletter: true }, await paper())
    const mails = await waitForMails(server, email, 2)
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Confirmez votre abonnement',
      'Votre livre blanc\u00a0: Partager son toit',
    ])
  })
})

describe('a white paper', () => {
  test('is downloaded with the key of its answer and of its mail, and with no other', async () => {
    const [email, slug] = [newEmail(), await paper()]
    const { body } = await send(endpoints.whitePaper, { ...NAMES, email }, slug)
    expect(body.url).toMatch(new RegExp(`^/api/white-papers/${slug}/file\\?key=`))
    const [mail] = await waitForMails(server, email)
    expect(mail?.text).toContain(body.url)
    const file = await server.app.inject({ url: body.url })
    expect(file.statusCode).toBe(200)
    expect(file.headers['content-type']).toBe('application/pdf')
    expect(file.headers['content-disposition']).toContain(`${slug}.pdf`)
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    const other = await makeRequestableContent(server.db, 'white-paper')
    for (const url of [body.url.replace(slug, other), body.url.slice(0, -3), `/api/white-papers/${slug}/file`])
      expect((await server.app.inject({ url })).statusCode).toBe(410)
    expect((await kept())[0]).toMatchObject({ subject: 'Partager son toit', about: slug })
  })

  test('that is not published is unknown', async () => {
    const webinarSlug = await webinar()
    for (const slug of ['absent', '../x', 'é', webinarSlug, 'x'.repeat(120)]) {
      expect((await send(endpoints.whitePaper, { ...NAMES, email: newEmail() }, slug)).status).toBe(404)
      expect((await call(server, endpoints.whitePaperFile, { params: { slug } })).status).toBe(404)
    }
    expect(await kept()).toEqual([])
  })
})

describe('a webinar', () => {
  test('is answered with its link and its event', async () => {
    const [email, slug] = [newEmail(), await webinar()]
    await send(endpoints.webinar, { ...NAMES, email }, slug)
    const [mail] = await waitForMails(server, email)
    expect(mail?.text).toContain('https://visio.exemple.fr/w')
    const event = readAttachedCalendar(mail)
    expect(event).toMatchObject({ METHOD: 'PUBLISH', SUMMARY: 'Partager son toit', URL: 'https://visio.exemple.fr/w' })
    const minutes = (text = '') => Number(text.slice(9, 11)) * 60 + Number(text.slice(11, 13))
    expect((minutes(event.DTEND) - minutes(event.DTSTART) + 1440) % 1440).toBe(45)
  })

  test('that has begun, has no date or is unknown takes nobody', async () => {
    const over = await makeRequestableContent(server.db, 'webinar', { startsAt: inDays(-1) })
    const undated = await makeRequestableContent(server.db, 'webinar')
    const register = (slug: string) => send(endpoints.webinar, { ...NAMES, email: newEmail() }, slug)
    for (const slug of [over, undated]) expect((await register(slug)).body.code).toBe('conflict')
    expect((await register('absent')).status).toBe(404)
    expect(await kept()).toEqual([])
  })
})
