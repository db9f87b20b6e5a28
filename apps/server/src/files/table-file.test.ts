import { expect, test } from 'vitest'
import { tableFile } from './table-file.ts'
import { readXlsx } from './xlsx.ts'

const HEADER = ['PRM', 'Énergie', 'Note']
const ROWS = [
  ['19125759625988', 12.5, '=1+1'],
  ['00000000000001', 0, null],
]

test('a workbook gives back what was written, texts as texts', async () => {
  const { content, name } = await tableFile('énergie', 'xlsx', HEADER, ROWS)
  expect(name).toMatch(/\.xlsx$/)
  if (!(content instanceof Uint8Array)) throw new Error('bytes expected')
  expect(await readXlsx(content)).toEqual([HEADER, ['19125759625988', '12.5', '=1+1'], ['00000000000001', '0', '']])
})

test('what is no workbook, or a broken one, is told apart', async () => {
  expect(await readXlsx(new TextEncoder().encode('a;b'))).toBeNull()
  expect(await readXlsx(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]))).toBeNull()
})

test('the csv keeps numbers as numbers and disarms formulas', async () => {
  const { content } = await tableFile('énergie', 'csv', HEADER, ROWS)
  expect(content).toBe("\uFEFFPRM;Énergie;Note\r\n19125759625988;12,5;'=1+1\r\n00000000000001;0;\r\n")
})
