import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { generateWebhookSecret, signWebhookMessage } from './webhook-message.ts'

test('signs the example of the Standard Webhooks specification', () => {
  // The test vector of the reference libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"test": 2432232314}'
  expect(signWebhookMessage([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('two secrets give two signatures, the newer first', () => {
  const [a, b] = [generateWebhookSecret(), generateWebhookSecret()]
  const both = signWebhookMessage([a, b], 'm', 1, 'x').split(' ')
  expect(both).toEqual([signWebhookMessage([a], 'm', 1, 'x'), signWebhookMessage([b], 'm', 1, 'x')])
})

test('a new secret is 32 random bytes', () => {
  const [a, b] = [generateWebhookSecret(), generateWebhookSecret()]
  expect(a).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(a.slice(6), 'base64')).toHaveLength(32)
  expect(a).not.toBe(b)
})
