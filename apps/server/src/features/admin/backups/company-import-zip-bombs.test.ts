import { createHash, randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { backups } from '@voisol/contract/backups'
import { operations } from '@voisol/contract/operations'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  ARCHIVE_DESCRIPTION,
  buildArchivedParticipant,
  packArchiveWithFile,
  packUnsignedArchive,
  toJsonLines,
} from '../../../../test/archives.ts'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { buildZipOfManyEntries, buildZipWithHugeEntry } from '../../../../test/hostile-archives.ts'
import { attackService } from '../../../../test/measure-service.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { createZipStream } from '../../../files/zip.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
let other: Person

beforeAll(async () => {
  other = await makeUser(server.db)
  await makeOperation(server.db, { companyId: other.companyId })
})

const upload = (content: Buffer, person: Person) =>
  call(server, backups.take, { query: { name: 'copie.zip' }, upload: content }, person)
const waitUntilSettled = (person: Person, id: string) =>
  waitUntil(async () => {
    const { items } = (await call(server, backups.list, {}, person)).body
    return items.find((copy: { id: string; state: string }) => copy.id === id && copy.state !== 'waiting')
  })

const expectOk = async (asked: Promise<{ status: number }>) => expect((await asked).status).toBe(200)
const OTHER_REQUESTS = {
  health: () => expectOk(server.app.inject({ url: '/healthz' }).then(({ statusCode }) => ({ status: statusCode }))),
  'another company': () => expectOk(call(server, operations.list, {}, other)),
}

/** Growth of the resident memory of the process: refused in time, each of these takes less than 300. */
const MAX_GROWTH_MEGABYTES = 500

/** The memory of what made the archive would otherwise be taken for room that reading it may fill unseen. */
function collectGarbage() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

const TOO_LARGE = /trop grand une fois décompressé/
const manyParticipants = (part: number, rows: number, more: object) => ({
  name: `donnees/participants.${String(part).padStart(3, '0')}.jsonl`,
  content: toJsonLines(Array.from({ length: rows }, () => buildArchivedParticipant({ iban: null, ...more }))),
})

/** Each with what refuses it. */
const BOMBS: Record<string, [reason: RegExp, make: () => Promise<Buffer>]> = {
  'a table of empty rows': [
    TOO_LARGE,
    () => packUnsignedArchive([{ name: 'donnees/participants.001.jsonl', content: '{}\n'.repeat(14_000_000) }]),
  ],
  'a table of a gigabyte': [
    TOO_LARGE,
    async () => buildZipWithHugeEntry([ARCHIVE_DESCRIPTION], 'donnees/participants.001.jsonl', '{}\n'),
  ],
  'more rows than a table may have, each of them right': [
    /300.000 au plus/,
    () => packUnsignedArchive(Array.from({ length: 4 }, (_, part) => manyParticipants(part + 1, 76_000, {}))),
  ],
  'rows that are right and unpack to more than such an upload may': [
    TOO_LARGE,
    () => {
      const long = { notes: 'a'.repeat(2000), tags: Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(40, 'b')) }
      return packUnsignedArchive(Array.from({ length: 4 }, (_, part) => manyParticipants(part + 1, 11_000, long)))
    },
  ],
  'many small parts of empty rows': [
    /ligne 1\b/,
    () =>
      packUnsignedArchive(
        Array.from({ length: 300 }, (_, n) => ({
          name: `donnees/participants.${String(n).padStart(3, '0')}.jsonl`,
          content: '{}\n'.repeat(300_000),
        })),
      ),
  ],
  'contents of zeros': [
    /^fichiers\/.*trop grand une fois décompressé/,
    async () => {
      const content = Buffer.alloc(150_000_000)
      const sha256 = createHash('sha256').update(content).digest('hex')
      const entry = { name: `fichiers/${sha256}/a.pdf`, content: content.toString('latin1') }
      return packArchiveWithFile(server, { name: 'a.pdf', size: content.length, sha256 }, entry)
    },
  ],
  'sizes that lie': [
    /ne se lit pas/,
    async () => {
      const zip = await packUnsignedArchive([
        { name: 'donnees/participants.001.jsonl', content: '{}\n'.repeat(5_000_000) },
      ])
      const list = zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]), zip.indexOf('copie.json') + 200)
      const name = zip.lastIndexOf('donnees/participants')
      expect(list).toBeGreaterThan(0)
      zip.writeUInt32LE(1000, name - 46 + 24) // the size in the list of the archive
      return zip
    },
  ],
  'a hundred thousand entries and more': [
    /n’est pas une copie d’organisation/,
    async () => {
      const entries = async function* () {
        for (let n = 0; n < 120_000; n++) yield { name: `${n}`, content: Buffer.alloc(0), on: '2026-05-19' }
      }
      return Buffer.concat(await Array.fromAsync(createZipStream(entries())))
    },
  ],
  'a million entries': [/n’est pas une copie d’organisation/, async () => buildZipOfManyEntries(48_000_000)],
  'a line without an end': [
    /trop longue/,
    () =>
      packUnsignedArchive([
        { name: 'donnees/participants.001.jsonl', content: `{"name":"${randomBytes(8_000_000).toString('hex')}"}` },
      ]),
  ],
  'values nested deeply': [
    /ligne 1\b/,
    () =>
      packUnsignedArchive([
        { name: 'donnees/participants.001.jsonl', content: `{"tags":${'['.repeat(400_000)}${']'.repeat(400_000)}}\n` },
      ]),
  ],
}

describe('archives made to hurt', () => {
  test.each(Object.entries(BOMBS))(
    '%s: refused beside the server, which goes on answering everybody',
    async (_, [reason, make]) => {
      const zip = await make()
      collectGarbage()
      const { results, faults, grown } = await attackService(OTHER_REQUESTS, async () => {
        const attacker = await makeUser(server.db)
        return async () => {
          const { body, status } = await upload(zip, attacker)
          expect(status).toBe(200)
          return { attacker, copy: await waitUntilSettled(attacker, body.id) }
        }
      })
      expect(faults).toEqual([])
      expect(grown).toBeLessThan(MAX_GROWTH_MEGABYTES)
      for (const { attacker, copy } of results) {
        expect(copy).toMatchObject({ state: 'failed', failure: expect.stringMatching(reason) })
        // The content goes once the row that names it is committed.
        await waitUntil(async () => (await server.deps.files.list(String(attacker.companyId))).length === 0)
        const { rows } = await server.asOwner('select count(*)::int as n from files where company_id = $1', [
          attacker.companyId,
        ])
        expect(rows).toEqual([{ n: 0 }])
      }
    },
  )
})
