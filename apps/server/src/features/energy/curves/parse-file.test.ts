import { afterAll, expect, test } from 'vitest'
import { openTasks } from '../../../compute/open.ts'
import { bytesOf, clockAt, PRM, parse, stampsOf } from '../../../formats/fixtures.ts'
import { FileRefused } from '../../../formats/types.ts'
import { parseInWorker } from './parse-file.ts'

const { compute, close } = openTasks({ threads: 1 })
afterAll(close)

const companyId = 1
const text = [
  `Horodate;${PRM}`,
  ...stampsOf('2026-02-02', 15, 'start', clockAt).map((stamp, n) => `${stamp};${n}`),
].join('\n')

test('reads beside the server what it reads inside', async () => {
  const bytes = bytesOf(text)
  expect(await parseInWorker({ compute }, { companyId, name: 'x.csv', bytes })).toEqual(parse(text))
  expect(bytes.length).toBe(text.length)
})

test('hands refusals over', async () => {
  const refused = parseInWorker({ compute }, { companyId, name: 'x.csv', bytes: bytesOf('%PDF-1.7') })
  await expect(refused).rejects.toBeInstanceOf(FileRefused)
  await expect(refused).rejects.toThrow('un document PDF')
})

test('gives up on a file that takes too long', async () => {
  // Far more than a thread reads in a millisecond, however warm it is.
  const many = Array.from({ length: 300 }, (_, n) => String(BigInt(PRM) + BigInt(n)))
  const days = Array.from({ length: 20 }, (_, n) => `2026-02-${String(n + 2).padStart(2, '0')}`)
  const stamps = days.flatMap((day) => stampsOf(day, 15, 'start', clockAt))
  const long = [['Horodate', ...many], ...stamps.map((stamp) => [stamp, ...many.map(() => '617')])]
  const bytes = bytesOf(long.map((cells) => cells.join(';')).join('\n'))
  const given = { companyId, name: 'x.csv', bytes, seconds: 0.001 }
  await expect(parseInWorker({ compute }, given)).rejects.toThrow('trop long à lire')
})
