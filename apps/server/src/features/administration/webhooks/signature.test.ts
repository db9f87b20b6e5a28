import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { newSecret, signatureOf } from './signature.ts'

test('signs as the text of Standard Webhooks has it', () => {
  // The vector of the reference libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"test": 2432232314}'
  expect(signatureOf([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('with two secrets there are two signatures, the newer first', () => {
  const [a, b] = [newSecret(), newSecret()]
  const both = signatureOf([a, b], 'm', 1, 'x').split(' ')
  expect(both).toEqual([signatureOf([a], 'm', 1, 'x'), signatureOf([b], 'm', 1, 'x')])
})

test('a secret is 32 bytes that nobody has seen', () => {
  const [a, b] = [newSecret(), newSecret()]
  expect(a).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(a.slice(6), 'base64')).toHaveLength(32)
  expect(a).not.toBe(b)
})
