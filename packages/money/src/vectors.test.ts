import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseVectorCases, runVectorCase, VECTOR_KINDS } from '../vectors/cases.ts'

const root = process.env.VOISOL_DATA ?? new URL('../../../../shared/data', import.meta.url).pathname
const file = `${root}/money/vectors.json`

const command = fileURLToPath(new URL('../vectors.ts', import.meta.url))
const own = [
  { id: 'a line', kind: 'line', input: { wh: 4_167, price: 1_237 } },
  { id: 'no kind', kind: 'other', input: {} },
  { id: 'no number', kind: 'apportion', input: { shares: ['1,5'] } },
]

test.each([
  ['the whole file', { format: 1, vectors: own }],
  ['its cases alone', own],
])('the command takes %s, and gives a result for each id', (_, input) => {
  const { stdout } = spawnSync(process.execPath, [command], { input: JSON.stringify(input), encoding: 'utf8' })
  expect(JSON.parse(stdout)).toEqual({
    'a line': { cents: 52 },
    'no kind': { unknownKind: 'other' },
    'no number': { error: 'RangeError: not a number: 1,5' },
  })
})

if (existsSync(file)) {
  const cases = parseVectorCases(readFileSync(file, 'utf8'))
  test('the file has every kind', () => {
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(VECTOR_KINDS))
  })
  test.each(cases)('vector $id', (vector) => {
    expect(JSON.parse(JSON.stringify(runVectorCase(vector)))).toEqual(inAnyOrder(vector.expected))
  })
} else {
  console.warn(`Vecteurs d’argent sautés : ${file} absent.`)
  test.skip(`skipped: no ${file}`, () => {})
}

/** The order of a correction’s lines is free. */
function inAnyOrder(expected: unknown): unknown {
  if (typeof expected !== 'object' || expected === null || !('corrections' in expected)) return expected
  const { corrections } = expected
  if (!Array.isArray(corrections)) return expected
  const free = corrections.map((correction) =>
    correction.lines
      ? { ...correction, lines: expect.toSatisfy((lines: unknown[]) => sorted(lines) === sorted(correction.lines)) }
      : correction,
  )
  return { ...expected, corrections: free }
}

const byName = (_: string, value: unknown) =>
  value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value
const sorted = (lines: unknown[]) => JSON.stringify(lines.map((line) => JSON.stringify(line, byName)).sort())
