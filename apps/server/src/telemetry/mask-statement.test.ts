import { expect, test } from 'vitest'
import { maskStatement } from './slow-log.ts'

test.each([
  ['select *\n  from users\n where email = $1', 'select * from users where email = $1'],
  [`select 'O''Neil', "it's" from t where a = 'b'`, `select '?', "it's" from t where a = '?'`],
  [`set local voisol.company = '12'`, `set local voisol.company = '?'`],
  [String.raw`select e'it\'s', 'C:\', 'secret'`, `select '?', '?', '?'`],
  [`select 1 -- the client's\n, 'secret' /* 'x */ , 'y'`, `select 1 , '?' , '?'`],
  ['select $$Anne$$, $tag$de la $$ Rue$tag$ , $1', `select '?', '?' , $1`],
  ['select 30001234567890, 4096, $12345', 'select ?, 4096, $12345'],
])('%s is written %s', (text, written) => {
  expect(maskStatement(text)).toBe(written)
})

test('an endless statement is cut, and so is an endless string', () => {
  expect(maskStatement(`select ${'a, '.repeat(5000)}`)).toHaveLength(2000)
  expect(maskStatement(`select 'Anne Martin`)).not.toContain('Anne')
})
