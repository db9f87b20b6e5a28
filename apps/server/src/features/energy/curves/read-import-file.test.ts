import { FileRefusedError } from '@voisol/file-formats/curve-file-types'
import { buildDayStamps, encodeFixture, formatParisClock, PRM, parseFixture } from '@voisol/file-formats/fixtures'
import { afterAll, expect, test } from 'vitest'
import { openComputePool } from '../../../workers/open.ts'
import { parseCurveFileInWorker } from './read-import-file.ts'

const { compute, close } = openComputePool({ threads: 1 })
afterAll(close)

const companyId = 1
const text = [
  `Horodate;${PRM}`,
  ...buildDayStamps('2026-02-02', 15, 'start', formatParisClock).map((stamp, n) => `${stamp};${n}`),
].join('\n')

test('parses in a worker thread with the same result as inside', async () => {
  const bytes = encodeFixture(text)
  expect(await parseCurveFileInWorker({ compute }, { companyId, name: 'x.csv', bytes })).toEqual(parseFixture(text))
  expect(bytes.length).toBe(text.length)
})

test('passes refusals on', async () => {
  const refused = parseCurveFileInWorker({ compute }, { companyId, name: 'x.csv', bytes: encodeFixture('%PDF-1.7') })
  await expect(refused).rejects.toBeInstanceOf(FileRefusedError)
  await expect(refused).rejects.toThrow('un document PDF')
})

test('gives up on a file that takes too long', async () => {
  // Far more than a thread parses in a millisecond, even when warm.
  const many = Array.from({ length: 300 }, (_, n) => String(BigInt(PRM) + BigInt(n)))
  const days = Array.from({ length: 20 }, (_, n) => `2026-02-${String(n + 2).padStart(2, '0')}`)
  const stamps = days.flatMap((day) => buildDayStamps(day, 15, 'start', formatParisClock))
  const long = [['Horodate', ...many], ...stamps.map((stamp) => [stamp, ...many.map(() => '617')])]
  const bytes = encodeFixture(long.map((cells) => cells.join(';')).join('\n'))
  const given = { companyId, name: 'x.csv', bytes, seconds: 0.001 }
  await expect(parseCurveFileInWorker({ compute }, given)).rejects.toThrow('trop long à lire')
})
