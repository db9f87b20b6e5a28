import { expect, test } from 'vitest'
import { bytesOf, clockAt, PRM, parse, stampsOf } from './fixtures.ts'
import { FileRefused } from './types.ts'
import { parseInWorker } from './worker.ts'

const text = [
  `Horodate;${PRM}`,
  ...stampsOf('2026-02-02', 15, 'start', clockAt).map((stamp, n) => `${stamp};${n}`),
].join('\n')

test('reads beside the server what it reads inside', async () => {
  const bytes = bytesOf(text)
  expect(await parseInWorker('x.csv', bytes)).toEqual(parse(text))
  expect(bytes.length).toBe(text.length)
})

test('hands refusals over', async () => {
  const refused = parseInWorker('x.csv', bytesOf('%PDF-1.7'))
  await expect(refused).rejects.toBeInstanceOf(FileRefused)
  await expect(refused).rejects.toThrow('un document PDF')
})

test('gives up on a file that takes too long', async () => {
  await expect(parseInWorker('x.csv', bytesOf(text), {}, 1)).rejects.toThrow('trop long à lire')
})
