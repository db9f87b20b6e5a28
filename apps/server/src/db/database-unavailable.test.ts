import { expect, test } from 'vitest'
import { toAppError } from '../http/errors.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'

const buildError = (more: object, message = 'something') => Object.assign(new Error(message), more)

test.each([
  ['refused', { code: 'ECONNREFUSED' }],
  ['cut', { code: 'ECONNRESET' }],
  ['cut while it was written to', { code: 'EPIPE' }],
  ['silent', { code: 'ETIMEDOUT' }],
  ['without a route', { code: 'EHOSTUNREACH' }],
  ['without a network', { code: 'ENETUNREACH' }],
  ['without a name', { code: 'ENOTFOUND' }],
  ['without a name server', { code: 'EAI_AGAIN' }],
  ['without its socket', { code: 'ENOENT', syscall: 'connect' }],
  ['starting', { code: '57P03' }],
  ['shut down', { code: '57P01' }],
  ['crashed', { code: '57P02' }],
  ['crowded', { code: '53300' }],
  ['a standby', { code: '25006' }],
  ['a pooler with too long a line', { code: '08P01' }],
])('a database that is %s is unavailable: 503 with Retry-After', (_, more) => {
  const wrapped = new Error('Failed query: select 1', { cause: buildError(more) })
  expect(toAppError(wrapped)).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 5 })
})

test.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Query read timeout',
  'timeout expired',
  'failure on connection marked as essential: 127.0.0.1:5601',
])('the error « %s » also means an unavailable database', (message) => {
  expect(isDatabaseUnavailable(new Error(message))).toBe(true)
})

test.each([
  ['a missing file', buildError({ code: 'ENOENT', syscall: 'open' })],
  ['a twin', buildError({ code: '23505' })],
  ['a mistake of ours', new TypeError('x is not a function')],
  ['a statement that took too long', buildError({ code: '57014' })],
  ['nothing at all', undefined],
])('%s is another error', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false)
  expect(toAppError(error)).toBeUndefined()
})
