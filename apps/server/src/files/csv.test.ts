import { expect, test } from 'vitest'
import { measureCpuMs } from '../../test/cpu-time.ts'
import { readCsv, writeCsv } from './csv.ts'

test('texts that begin like a formula are neutralised, numbers stay numbers', () => {
  const cells = ['=1+1', '+33', '-2', '@a', '\tb', '\rc', 'd']
  expect(writeCsv(['a'], [cells])).toBe(`\uFEFFa\r\n'=1+1;'+33;'-2;'@a;'\tb;"'\rc";d\r\n`)
  expect(writeCsv(['a'], [[-2.5, true, null]])).toBe('\uFEFFa\r\n-2,5;oui;\r\n')
})

test('separators, quotes and line ends inside a cell survive both ways', () => {
  const cells = ['a;b', 'dit "oui"', 'deux\nlignes', '']
  expect(readCsv(writeCsv(['h'], [cells]))[1]).toEqual({ line: 2, cells })
})

test('either separator, any line end, empty lines skipped, line numbers kept', () => {
  expect(readCsv('\uFEFFemail,nom\r\n\r\na@b.fr,"D, E"\n')).toEqual([
    { line: 1, cells: ['email', 'nom'] },
    { line: 3, cells: ['a@b.fr', 'D, E'] },
  ])
  expect(readCsv('a;b\r1;2')).toHaveLength(2)
})

test('hostile shapes are read in linear time', async () => {
  const hostile = (times: number) => `${'a;b\n'.repeat(times * 20_000)}\n${'"'.repeat(times * 100_000 + 1)}`
  // The least of three: what else this process does is added to some of them.
  const effort = async (text: string) =>
    Math.min(
      await measureCpuMs(() => readCsv(text)),
      await measureCpuMs(() => readCsv(text)),
      await measureCpuMs(() => readCsv(text)),
    )
  // Five times as much would cost twenty-five times as much if each looked at all before it.
  expect(await effort(hostile(5))).toBeLessThan(12 * (await effort(hostile(1))))
})

test('a line of more columns than any list has is refused', () => {
  expect(readCsv(`a\n${'b;'.repeat(499)}`)[1]?.cells).toHaveLength(500)
  expect(() => readCsv(`a\n${'b;'.repeat(500)}`)).toThrow('La ligne 2 compte plus de 500 colonnes')
})
