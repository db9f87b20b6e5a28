import { expect, test } from 'vitest'
import { writeCsv } from './csv.ts'

test.each(['=', '+', '-', '@', '\t', '\r', '\n'])('a text that begins with %j is written as a text', (first) => {
  expect(writeCsv([], [[`${first}1+1`]])).toContain(`'${first}1+1`)
})

test.each(['a=1', 'a-1', ' 1', '\u00a0=1'])('%j is written as it is', (text) => {
  expect(writeCsv([], [[text]])).toBe(`\uFEFF\r\n${text}\r\n`)
})

test('numbers keep their sign and have a comma', () => {
  expect(writeCsv([], [[-1_234.567, 0, false, undefined]])).toBe('\uFEFF\r\n-1234,567;0;non;\r\n')
})
