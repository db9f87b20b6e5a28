import { expect, test } from 'vitest'
import { parseNano, UNREADABLE_NUMBER } from './cell-values.ts'

const read = (text: string) => {
  const bytes = Buffer.from(text)
  return parseNano(bytes, 0, bytes.length)
}

test.each([
  ['0', 0],
  ['713', 713e9],
  ['-713', -713e9],
  ['1,0005', 1_000_500_000],
  ['1.0005', 1_000_500_000],
  ['-0,017', -17_000_000],
  ['0,123456789', 123_456_789],
  ['0,1234567891', 123_456_789],
  ['0,12345678999', 123_456_789],
  ['1 234,5', 1_234_500_000_000],
  ['1\u202f234', 1234e9],
  ['1,5e-9', 2],
  ['2,4e-9', 2],
  ['1e3', 1000e9],
])('%j is %d billionths', (text, nano) => {
  expect(read(text)).toBe(nano)
})

test.each(['', '-', 'NA', 'n/a', 'null', ' '])('%j is a hole', (text) => {
  expect(read(text)).toBeNaN()
})

test.each(['a', '1,2,3', '1.2.3', ',', '--1', '0x10', '1,5,'])('%j is no number', (text) => {
  expect(read(text)).toBe(UNREADABLE_NUMBER)
})
