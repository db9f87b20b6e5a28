import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { MAIL_RETRY_OPTIONS } from '../../../core/company-mail.ts'
import { buildPublicUrl } from '../../../core/public-links.ts'
import { transaction } from '../../../db/client.ts'
import type { Mail } from '../../../integrations/mail/mail.ts'
import { type Job, MAIL_JOBS } from '../../../jobs/job.ts'
import { DEAD_LETTER } from '../../../jobs/queue.ts'
import { jobs } from '../../../jobs/registry.ts'
import { mailJobs } from './jobs.ts'
import { MAIL_SEAL_CONTEXT, sendMail } from './mail.ts'

const server = useServer()
const mail = (to: string, subject: string) => ({ to, subject, text: 'Bonjour', html: '<p>Bonjour</p>' })
const findCaughtMails = (subject: string) => async () => {
  const found = (await server.catcher.messages()).filter((message) => message.subject === subject)
  return found.length > 0 && found
}

test('a message is sent only after the transaction is committed', async () => {
  const { secrets } = server.deps
  const failing = transaction(server.db, async (tx) => {
    await sendMail(tx, secrets, mail('a@exemple.fr', 'annulé'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await transaction(server.db, (tx) => sendMail(tx, secrets, mail('a@exemple.fr', 'validé')))
  await waitUntil(findCaughtMails('validé'))
  expect(await findCaughtMails('annulé')()).toBe(false)
})

test('its content is unreadable in the queue', async () => {
  await sendMail(server.db, server.deps.secrets, mail('secret@exemple.fr', 'lien secret'))
  const { rows } = await server.db.execute<{ data: unknown }>(sql`select data from jobs.job where name = 'mail.send'`)
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toMatch(/secret@exemple|lien secret/)
})

test('a wrong address goes to the dead letters and does not block others', async () => {
  await sendMail(server.db, server.deps.secrets, mail('pas une adresse', 'perdu'))
  await sendMail(server.db, server.deps.secrets, mail('b@exemple.fr', 'après le mauvais'))
  await waitUntil(findCaughtMails('après le mauvais'))
  const dead = await waitUntil(async () => (await server.queue.findJobs(DEAD_LETTER))[0])
  expect(dead.sourceName).toBe('mail.send')
})

const DAYS = 86_400
/** The minimum delays of the queue before each retry: half of what its random `retry_backoff` may choose. */
type Waits = { retryLimit: number; retryDelay: number; retryDelayMax: number }
const shortestWaits = ({ retryLimit, retryDelay, retryDelayMax }: Waits) =>
  Array.from({ length: retryLimit }, (_, tried) =>
    Math.min(retryDelayMax, (retryDelay * 2 ** Math.min(16, tried + 1)) / 2),
  )

test.each(MAIL_JOBS)('retries %s for at least three days, and every half hour in the end', (name) => {
  const policy = { ...MAIL_RETRY_OPTIONS, ...jobs[name].policy }
  const waits = shortestWaits(policy)
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(3 * DAYS)
  expect(Math.max(...waits)).toBe(1800)
  // Half a day before the end it had not been given up.
  expect(waits.slice(0, -24).reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(2.5 * DAYS)
})

test('the jobs with the retries of a mail are those that may send one', () => {
  const patient = Object.entries<Job>(jobs).filter(
    ([, { policy }]) => policy?.retryLimit === MAIL_RETRY_OPTIONS.retryLimit,
  )
  expect(patient.map(([name]) => name).sort()).toEqual([...MAIL_JOBS].sort())
})

test('a message blocked for two days by an unreachable mail server is sent once it is back', async () => {
  const { mailer } = server.deps
  let away = true
  server.deps.mailer = {
    ...mailer,
    async send(message) {
      if (away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET' })
      await mailer.send(message)
    },
  }
  await sendMail(server.db, server.deps.secrets, mail('d@exemple.fr', 'patient'))
  type Row = { state: string; tried: number; wait: number }
  const row = async () =>
    (
      await server.db.execute<Row>(sql`
        select state::text, retry_count as tried, extract(epoch from start_after - now())::float8 as wait
          from jobs.job where name = 'mail.send' and state in ('retry', 'active', 'created') order by created_on desc limit 1`)
    ).rows[0]
  await waitUntil(async () => (await row())?.state === 'retry')
  // Simulates two and a half days of retries.
  const passed = (tried: number) =>
    server.asOwner(`update jobs.job set retry_count = ${tried}, created_on = now() - interval '60 hours', start_after = now()
                     where name = 'mail.send' and state = 'retry'`)
  await passed(125)
  const waiting = await waitUntil(async () => {
    const found = await row()
    return found?.state === 'retry' && found.tried > 125 && found
  })
  expect(waiting.wait).toBeGreaterThan(1700)
  expect(waiting.wait).toBeLessThanOrEqual(1800)
  away = false
  await passed(126)
  await waitUntil(findCaughtMails('patient'))
  server.deps.mailer = mailer
})

test('while the mail server is down the message waits, and the retry has the same Message-ID', async () => {
  const { mailer } = server.deps
  const tried: (string | undefined)[] = []
  server.deps.mailer = {
    ...mailer,
    async send(message) {
      tried.push(message.id)
      if (tried.length === 1) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET' })
      await mailer.send(message)
    },
  }
  await sendMail(server.db, server.deps.secrets, mail('c@exemple.fr', 'retardé'))
  const [arrived] = await waitUntil(findCaughtMails('retardé'))
  server.deps.mailer = mailer
  expect(tried).toHaveLength(2)
  expect(tried[1]).toBe(tried[0])
  expect(arrived?.messageId).toBe(`<${tried[0]}@voisol.fr>`)
})

test('a sent message is not sent again when only its completion could not be recorded', async () => {
  const task = { id: randomUUID(), signal: new AbortController().signal, last: false }
  const sealed = server.deps.secrets.seal(JSON.stringify(mail('d@exemple.fr', 'une seule fois')), MAIL_SEAL_CONTEXT)
  for (let n = 0; n < 3; n++) await mailJobs['mail.send'].run(server.deps, { sealed }, task)
  expect(await findCaughtMails('une seule fois')()).toHaveLength(1)
  // A message whose sending was interrupted is sent again with the same Message-ID.
  const { mailer } = server.deps
  const cut = {
    ...server.deps,
    mailer: { ...mailer, send: (one: Mail) => mailer.send(one).then(() => Promise.reject(new Error('cut'))) },
  }
  const again = { ...task, id: randomUUID() }
  const other = server.deps.secrets.seal(JSON.stringify(mail('e@exemple.fr', 'coupé')), MAIL_SEAL_CONTEXT)
  await expect(mailJobs['mail.send'].run(cut, { sealed: other }, again)).rejects.toThrow('cut')
  await mailJobs['mail.send'].run(server.deps, { sealed: other }, again)
  const both = await waitUntil(async () => {
    const found = (await server.catcher.messages()).filter(({ subject }) => subject === 'coupé')
    return found.length === 2 && found
  })
  expect(new Set(both.map(({ messageId }) => messageId))).toEqual(new Set([`<${again.id}@voisol.fr>`]))
})

test.each([
  [{ PUBLIC_URL: 'https://energie.exemple.fr', HOST: '127.0.0.1', PORT: 3000 }, 'https://energie.exemple.fr/users?q=1'],
  [{ PUBLIC_URL: undefined, HOST: '127.0.0.1', PORT: 3000 }, 'http://127.0.0.1:3000/users?q=1'],
  [{ PUBLIC_URL: undefined, HOST: '0.0.0.0', PORT: 8080 }, 'http://localhost:8080/users?q=1'],
])('links use the public address %#', (config, expected) => {
  expect(buildPublicUrl(config, '/users?q=1')).toBe(expected)
})
