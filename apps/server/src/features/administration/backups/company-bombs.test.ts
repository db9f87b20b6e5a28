import { createHash, randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { backups } from '@voisol/contract/backups'
import { operations } from '@voisol/contract/operations'
import { beforeAll, describe, expect, test } from 'vitest'
import { CREATED, packSigned, packUnsigned, table } from '../../../../test/archives.ts'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-operations.ts'
import { useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/wait.ts'
import { zipOf } from '../../../files/zip.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
let other: Person

beforeAll(async () => {
  other = await makeUser(server.db)
  await makeOperation(server.db, { companyId: other.companyId })
})

const upload = (content: Buffer, person: Person) =>
  call(server, backups.take, { query: { name: 'copie.zip' }, upload: content }, person)
const settled = (person: Person, id: string) =>
  until(async () => {
    const { items } = (await call(server, backups.list, {}, person)).body
    return items.find((copy: { id: string; state: string }) => copy.id === id && copy.state !== 'waiting')
  }, 120_000)

const medianOf = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** A look at the server's health and a list of another company: how long one of them takes. */
async function askOthers(): Promise<number> {
  const start = performance.now()
  const health = await server.app.inject({ url: '/healthz' })
  const list = await call(server, operations.list, {}, other)
  expect([health.statusCode, list.status]).toEqual([200, 200])
  return (performance.now() - start) / 2
}

/** How the others fare meanwhile: the medians of their calls and of how late the event loop is. */
async function measureOthers<T>(work: Promise<T>) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const times: number[] = []
  let over = false
  const result = work.finally(() => {
    over = true
  })
  do {
    times.push(await askOthers())
    await new Promise((resolve) => setImmediate(resolve))
  } while (!over)
  delay.disable()
  return { result: await result, median: medianOf(times), late: delay.percentile(50) / 1e6 }
}

/** What a machine that others keep busy takes for the same calls while nothing is imported counts five times. */
const MAX_MS = 250
const BUSY_FACTOR = 5

const BOMBS: Record<string, () => Promise<Buffer>> = {
  'a table of empty rows': () =>
    packUnsigned([{ name: 'donnees/participants.001.jsonl', content: '{}\n'.repeat(14_000_000) }]),
  'many small parts of empty rows': () =>
    packUnsigned(
      Array.from({ length: 300 }, (_, n) => ({
        name: `donnees/participants.${String(n).padStart(3, '0')}.jsonl`,
        content: '{}\n'.repeat(300_000),
      })),
    ),
  'contents of zeros': async () => {
    const content = Buffer.alloc(300_000_000)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const file = { id: crypto.randomUUID(), name: 'a.pdf', media_type: 'application/pdf', size: content.length, sha256 }
    const entry = { name: `fichiers/${sha256}/a.pdf`, content: content.toString('latin1') }
    const seller = { id: crypto.randomUUID() }
    return packSigned(server.deps.secrets, [
      table('files', [{ ...file, created_at: CREATED }]),
      table('sellers', [seller]),
      entry,
    ])
  },
  'sizes that lie': async () => {
    const zip = await packUnsigned([{ name: 'donnees/participants.001.jsonl', content: '{}\n'.repeat(5_000_000) }])
    const list = zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]), zip.indexOf('copie.json') + 200)
    const name = zip.lastIndexOf('donnees/participants')
    expect(list).toBeGreaterThan(0)
    zip.writeUInt32LE(1000, name - 46 + 24) // the size in the list of the archive
    return zip
  },
  'a hundred thousand entries and more': async () => {
    const entries = async function* () {
      for (let n = 0; n < 120_000; n++) yield { name: `${n}`, content: Buffer.alloc(0), on: '2026-05-19' }
    }
    return Buffer.concat(await Array.fromAsync(zipOf(entries())))
  },
  'a line without an end': () =>
    packUnsigned([
      { name: 'donnees/participants.001.jsonl', content: `{"name":"${randomBytes(8_000_000).toString('hex')}"}` },
    ]),
  'values nested deeply': () =>
    packUnsigned([
      { name: 'donnees/participants.001.jsonl', content: `{"tags":${'['.repeat(400_000)}${']'.repeat(400_000)}}\n` },
    ]),
}

describe('archives made to hurt', { timeout: 180_000 }, () => {
  test.each(Object.entries(BOMBS))(
    '%s: refused beside the server, which goes on answering everybody',
    async (_, make) => {
      const attacker = await makeUser(server.db)
      const zip = await make()
      const alone = [await askOthers(), await askOthers(), await askOthers()]
      const most = Math.max(MAX_MS, BUSY_FACTOR * medianOf(alone))
      const { body, status } = await upload(zip, attacker)
      expect(status).toBe(200)
      const { result, median, late } = await measureOthers(settled(attacker, body.id))
      expect(result).toMatchObject({
        state: 'failed',
        failure: expect.stringMatching(/rien n’a été repris|trop de mémoire/i),
      })
      expect(median).toBeLessThan(most)
      expect(late).toBeLessThan(most)
      // The content goes once the row that names it is committed.
      await until(async () => (await server.deps.files.list(String(attacker.companyId))).length === 0)
      const { rows } = await server.asOwner('select count(*)::int as n from files where company_id = $1', [
        attacker.companyId,
      ])
      expect(rows).toEqual([{ n: 0 }])
    },
  )
})
