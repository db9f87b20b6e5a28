import { expect, test } from 'vitest'
import { buildTableFile, readTable } from './table-file.ts'
import { readXlsx } from './xlsx.ts'

const HEADER = ['PRM', 'Énergie', 'Note']
const ROWS = [
  ['19125759625988', 12.5, '=1+1'],
  ['00000000000001', 0, null],
]

test('a workbook gives back what was written, texts as texts', async () => {
  const { content, name } = await buildTableFile('énergie', 'xlsx', HEADER, ROWS)
  expect(name).toMatch(/\.xlsx$/)
  if (!(content instanceof Uint8Array)) throw new Error('bytes expected')
  expect(await readXlsx(content)).toEqual([HEADER, ['19125759625988', '12.5', '=1+1'], ['00000000000001', '0', '']])
})

test('what is no workbook, or a broken one, is told apart', async () => {
  expect(await readXlsx(new TextEncoder().encode('a;b'))).toBeNull()
  expect(await readXlsx(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]))).toBeNull()
})

test('the csv keeps numbers as numbers and disarms formulas', async () => {
  const { content } = await buildTableFile('énergie', 'csv', HEADER, ROWS)
  expect(content).toBe("\uFEFFPRM;Énergie;Note\r\n19125759625988;12,5;'=1+1\r\n00000000000001;0;\r\n")
})

test('a picture or a paper dropped as a table is called what it is', async () => {
  const refusal = async (...bytes: number[]) => {
    const error = await readTable(Uint8Array.from([...bytes, 1, 2, 3])).catch((thrown: unknown) => thrown)
    return JSON.stringify(error)
  }
  expect(await refusal(0x89, 0x50, 0x4e, 0x47)).toContain('une image PNG')
  expect(await refusal(0x25, 0x50, 0x44, 0x46)).toContain('un document PDF')
  expect(await refusal(0xd0, 0xcf, 0x11, 0xe0)).toContain('un classeur Excel d’un ancien format')
  expect(await readTable(new TextEncoder().encode('PRM;Nom\n1;A'))).toHaveLength(2)
})
