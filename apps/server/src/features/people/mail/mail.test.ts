import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/wait.ts'
import { transaction } from '../../../db/client.ts'
import { DEAD_LETTER } from '../../../jobs/queue.ts'
import { publicUrl, sendMail } from './mail.ts'

const server = useServer()
const mail = (to: string, subject: string) => ({ to, subject, text: 'Bonjour', html: '<p>Bonjour</p>' })
const caught = (subject: string) => async () => {
  const found = (await server.catcher.messages()).filter((message) => message.subject === subject)
  return found.length > 0 && found
}

test('a message leaves when the transaction is committed, and only then', async () => {
  const { secrets } = server.deps
  const failing = transaction(server.db, async (tx) => {
    await sendMail(tx, secrets, mail('a@exemple.fr', 'annulé'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await transaction(server.db, (tx) => sendMail(tx, secrets, mail('a@exemple.fr', 'validé')))
  await until(caught('validé'))
  expect(await caught('annulé')()).toBe(false)
})

test('its content is not readable in the queue', async () => {
  await sendMail(server.db, server.deps.secrets, mail('secret@exemple.fr', 'lien secret'))
  const { rows } = await server.db.execute<{ data: unknown }>(sql`select data from jobs.job where name = 'mail.send'`)
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toMatch(/secret@exemple|lien secret/)
})

test('a bad address goes to the dead letters and holds nobody up', async () => {
  await sendMail(server.db, server.deps.secrets, mail('pas une adresse', 'perdu'))
  await sendMail(server.db, server.deps.secrets, mail('b@exemple.fr', 'après le mauvais'))
  await until(caught('après le mauvais'))
  const dead = await until(async () => (await server.queue.findJobs(DEAD_LETTER))[0])
  expect(dead.sourceName).toBe('mail.send')
})

test('while the mail server is away the message waits, and the repeat carries the same Message-ID', async () => {
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
  const [arrived] = await until(caught('retardé'), 18_000)
  server.deps.mailer = mailer
  expect(tried).toHaveLength(2)
  expect(tried[1]).toBe(tried[0])
  expect(arrived?.messageId).toBe(`<${tried[0]}@voisol.fr>`)
})

test.each([
  [{ PUBLIC_URL: 'https://energie.exemple.fr', HOST: '127.0.0.1', PORT: 3000 }, 'https://energie.exemple.fr/users?q=1'],
  [{ PUBLIC_URL: undefined, HOST: '127.0.0.1', PORT: 3000 }, 'http://127.0.0.1:3000/users?q=1'],
  [{ PUBLIC_URL: undefined, HOST: '0.0.0.0', PORT: 8080 }, 'http://localhost:8080/users?q=1'],
])('links lead to the public address %#', (config, expected) => {
  expect(publicUrl(config, '/users?q=1')).toBe(expected)
})
