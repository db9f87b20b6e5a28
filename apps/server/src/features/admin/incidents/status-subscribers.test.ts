import { incidents } from '@voisol/contract/incidents'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, postOneClickUnsubscribe, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { tidyJobs } from '../tidy/jobs.ts'

const server = useServer()
let keeper: Awaited<ReturnType<typeof makeSiteAdmin>>
beforeAll(async () => {
  keeper = await makeSiteAdmin(server.db)
  // With several companies, each still hears of the same update only once.
  await makeUser(server.db)
  await makeUser(server.db)
})

let count = 0
const address = () => `abonne${++count}@exemple.fr`
const subscribe = (email: string, more: object = {}) => call(server, incidents.subscribe, { body: { email, ...more } })
const decide = (key: string, choice: string) => call(server, incidents.decide, { body: { key, choice } })
const keyIn = (text: string | undefined) => /\/status\?cle=([\w.-]+)/.exec(text ?? '')?.[1] ?? ''
async function subscribeAndConfirm(email: string) {
  await subscribe(email)
  const [mail] = await waitForMails(server, email)
  const key = keyIn(mail?.text)
  expect((await decide(key, 'confirm')).status).toBe(200)
  return key
}
const message = 'Les e-mails partent en retard, nous cherchons.'
const open = () => {
  const body = { title: 'Messages retardés', parts: ['mail'], severity: 'minor', state: 'investigating', message }
  return call(server, incidents.open, { body }, keeper)
}
const stateOf = async (email: string) =>
  (await server.asOwner(`select state from status_subscribers where email = '${email}'`)).rows[0]?.state

/** Changes a character inside the token, since the last one has unused bits. */
const forged = (token: string, at: number) =>
  `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`

test('sends nothing before the address is confirmed, then one mail per update', async () => {
  const [waiting, known] = [address(), address()]
  await subscribe(waiting)
  await subscribeAndConfirm(known)
  const { body } = await open()
  const news = { state: 'resolved', version: 1, message: 'Tout est parti.' }
  await call(server, incidents.tell, { params: { id: body.id }, body: news }, keeper)
  await waitForMails(server, known, 3)
  await waitForJobs(server)
  expect(await listMailsTo(server, waiting)).toHaveLength(1)
  const mails = await listMailsTo(server, known)
  const about = mails.filter(({ subject }) => subject?.startsWith('Incident'))
  expect(about.map(({ subject }) => subject).sort()).toEqual([
    'Incident\u00a0: Messages retardés (résolu)',
    'Incident\u00a0: Messages retardés (étude en cours)',
  ])
  expect(about.every(({ text }) => text?.includes('Messagerie'))).toBe(true)
})

test('answers the same for known and unknown addresses, and ignores bots', async () => {
  const [known, unknown, script] = [address(), address(), address()]
  await subscribeAndConfirm(known)
  const answers = [await subscribe(known), await subscribe(unknown), await subscribe(script, { website: 'x' })]
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(await stateOf(known)).toBe('confirmed')
  expect(await stateOf(script)).toBeUndefined()
  await waitForJobs(server)
  expect(await listMailsTo(server, known)).toHaveLength(1)
})

test('one-click unsubscribe of a mail program works without a page or a session', async () => {
  const email = address()
  await subscribeAndConfirm(email)
  await open()
  const [mail] = await waitForMails(server, email, 2)
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value ?? ''
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const { pathname } = new URL(header('list-unsubscribe').slice(1, -1))
  const click = (url: string) => postOneClickUnsubscribe(server, url)
  expect((await click(forged(pathname, pathname.lastIndexOf('/') + 5))).statusCode).toBe(410)
  expect(await stateOf(email)).toBe('confirmed')
  expect((await click(pathname)).statusCode).toBe(200)
  expect((await click(pathname)).statusCode).toBe(200)
  expect(await stateOf(email)).toBe('left')
  const opened = await server.app.inject({ url: pathname })
  expect([opened.statusCode, opened.headers.location]).toEqual([303, expect.stringContaining('/status?cle=')])
  await open()
  await waitForJobs(server)
  expect(await listMailsTo(server, email)).toHaveLength(2)
})

test('a former subscriber can subscribe again and must confirm again', async () => {
  const email = address()
  const key = await subscribeAndConfirm(email)
  await decide(key, 'leave')
  await subscribe(email)
  expect(await stateOf(email)).toBe('waiting')
  await waitForMails(server, email, 2)
  expect((await decide(forged(key, 5), 'confirm')).body.code).toBe('link-expired')
})

test('limits the requests for one address per hour', async () => {
  const email = address()
  const answers: number[] = []
  for (let i = 0; i < 11; i++) answers.push((await subscribe(email)).status)
  expect(answers.at(-1)).toBe(429)
})

test('erases addresses that were never confirmed or that unsubscribed after thirty days', async () => {
  const [waiting, known, left] = [address(), address(), address()]
  await server.asOwner(`insert into status_subscribers (email, state, changed_at) values
    ('${waiting}', 'waiting', now() - interval '31 days'), ('${known}', 'confirmed', now() - interval '900 days'),
    ('${left}', 'left', now() - interval '29 days')`)
  await tidyJobs.tidy.run(server.deps, {}, { id: '', signal: AbortSignal.timeout(60_000) })
  expect([await stateOf(waiting), await stateOf(known), await stateOf(left)]).toEqual([undefined, 'confirmed', 'left'])
})
