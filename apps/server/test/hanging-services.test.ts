import { auth } from '@voisol/contract/auth'
import { curves } from '@voisol/contract/curves'
import { enedis } from '@voisol/contract/enedis'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createS3Store } from '../src/integrations/files/s3.ts'
import { openMailer } from '../src/integrations/mail/mail.ts'
import { call } from './client.ts'
import { CREDENTIAL_INPUT } from './enedis-simulator.ts'
import { makeUser } from './factories.ts'
import { makeMeter } from './factories-energy.ts'
import { startSilentServer } from './fault-proxy.ts'
import { waitForMails } from './mails.ts'
import { startS3Simulator } from './s3.ts'
import { useServer } from './server.ts'
import { waitUntil } from './wait.ts'

const server = useServer()
const opened: { close(): unknown }[] = []
const silent = async (beginning?: string) => {
  const other = await startSilentServer(beginning)
  opened.push(other)
  return other
}
let base = ''
beforeAll(async () => {
  base = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
const originals = {} as Pick<typeof server.deps, 'files' | 'mailer'> // filled before the first test
beforeAll(() => {
  originals.files = server.deps.files
  originals.mailer = server.deps.mailer
})
afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(server.deps, originals)
})
afterAll(async () => {
  for (const other of opened) await other.close()
})

/** Waits for the hanging work and calls the server meanwhile: unrelated calls are served. */
async function whileServing<T>(work: Promise<T>): Promise<T> {
  const { token } = await makeUser(server.db)
  let isOver = false
  const result = work.finally(() => {
    isOver = true
  })
  result.catch(() => {})
  let served = 0
  while (!isOver || served < 3) {
    const health = await fetch(`${base}/healthz`)
    const me = await fetch(`${base}${auth.me.path}`, { headers: { authorization: `Bearer ${token}` } })
    expect([health.status, me.status]).toEqual([200, 200])
    served++
  }
  return result
}

const curveFile = (prm: string) =>
  Buffer.from(
    `Début;${prm} (W)\n${Array.from({ length: 96 }, (_, at) => {
      const clock = `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`
      return `2026-03-05 ${clock}:00;${at * 7}`
    }).join('\n')}\n`,
  )

describe('a file store that hangs', () => {
  /** The first read of a content meets the fault. */
  const useStore = async (onReading?: 'hang' | 'half') => {
    const s3 = await startS3Simulator()
    opened.push(s3)
    const store = createS3Store(s3.settings, { answerMs: 1500, silenceMs: 1500, restMs: 500 })
    if (!store) throw new Error('not configured')
    const met = { readings: 0 }
    const plant = () => {
      if (met.readings++ === 0 && onReading) s3.faults.push(onReading)
    }
    server.deps.files = {
      ...store,
      get(key) {
        plant()
        return store.get(key)
      },
      stream(key) {
        plant()
        return store.stream(key)
      },
    }
    return { s3, met }
  }

  test('an upload is refused with a sentence, is not stored, and the next one succeeds', async () => {
    const { s3 } = await useStore()
    const user = await makeUser(server.db)
    const { prm } = await makeMeter(server.db, { companyId: user.companyId })
    const upload = () => call(server, curves.upload, { query: { name: 'mars.csv' }, upload: curveFile(prm) }, user)
    s3.faults.push('hang')
    const refused = await whileServing(upload())
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.body.message).toContain('Les fichiers ne peuvent être ni gardés ni lus pour l’instant')
    const { rows } = await server.db.execute<{ n: number }>(
      sql`select count(*)::int as n from curve_imports where company_id = ${user.companyId}`,
    )
    expect(rows[0]?.n).toBe(0)
    const passed = await waitUntil(async () => {
      const answer = await upload()
      return answer.status === 200 && answer
    })
    await waitUntil(async () => {
      const { body } = await call(server, curves.getImport, { params: { id: passed.body.id } }, user)
      return body.status === 'ready'
    })
  })

  test.each(['hang', 'half'] as const)('a job that reads a file (%s) is retried and ends', async (fault) => {
    const { met } = await useStore(fault)
    const user = await makeUser(server.db)
    const { prm } = await makeMeter(server.db, { companyId: user.companyId })
    const sent = await call(server, curves.upload, { query: { name: 'mars.csv' }, upload: curveFile(prm) }, user)
    expect(sent.status).toBe(200)
    const ended = await whileServing(
      waitUntil(async () => {
        const { body } = await call(server, curves.getImport, { params: { id: sent.body.id } }, user)
        return ['ready', 'failed'].includes(body.status) && body.status
      }),
    )
    expect(ended).toBe('ready')
    expect(met.readings).toBeGreaterThan(1)
  })
})

describe('a mail server that hangs', () => {
  test.each([
    ['never greets', ''],
    ['greets and says nothing more', '220 silence ESMTP\r\n'],
  ])('%s: the caller is answered at once, the message arrives after recovery', async (_, beginning) => {
    const mute = await silent(beginning)
    const impatient = { connectionTimeout: 1000, greetingTimeout: 1000, socketTimeout: 1000 }
    server.deps.mailer = openMailer(`smtp://127.0.0.1:${mute.port}`, 'voisol@exemple.fr', impatient)
    const { email } = await makeUser(server.db)
    const asked = await call(server, auth.forgotPassword, { body: { email } })
    expect(asked.status).toBe(200)
    await whileServing(waitUntil(() => mute.connections() > 0))
    // Its first attempt fails before the message can be sent otherwise.
    await whileServing(
      waitUntil(async () => {
        const { rows } = await server.db.execute<{ n: number }>(
          sql`select count(*)::int as n from jobs.job where name = 'mail.send' and state = 'retry'`,
        )
        return (rows[0]?.n ?? 0) > 0
      }),
    )
    server.deps.mailer = originals.mailer
    const mails = await waitForMails(server, email)
    await waitUntil(async () => {
      const { rows } = await server.db.execute<{ n: number }>(
        sql`select count(*)::int as n from jobs.job where name = 'mail.send' and state < 'completed'`,
      )
      return rows[0]?.n === 0
    })
    expect(mails).toHaveLength(1)
  })
})

describe('a distributor that hangs', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n'
  test.each([
    ['never answers', ''],
    ['stops in the middle of its answer', `${HEAD}{"access_token": "abc`],
  ])('%s: the settings screen says so, and nothing is saved', async (_, beginning) => {
    const mute = await silent(beginning)
    // Timeouts of ten seconds and more are shortened to one.
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.min(ms, 1000)))
    server.deps.enedis.hosts.local = `http://127.0.0.1:${mute.port}`
    const user = await makeUser(server.db)
    const refused = await whileServing(call(server, enedis.save, { body: CREDENTIAL_INPUT }, user))
    expect(refused.status).toBe(422)
    expect(refused.body.issues[0].message).toContain('Le distributeur n’a pas répondu à temps.')
    expect(refused.body.issues[0].message).toContain('Rien n’a été enregistré.')
    expect(Math.max(...limits.mock.calls.map(([ms]) => ms))).toBeLessThanOrEqual(30_000)
    const { rows } = await server.db.execute<{ n: number }>(
      sql`select count(*)::int as n from enedis_credentials where company_id = ${user.companyId}`,
    )
    expect(rows[0]?.n).toBe(0)
  })
})
