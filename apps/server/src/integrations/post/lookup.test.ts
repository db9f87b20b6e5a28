import type { lookup } from 'node:dns'
import { expect, test } from 'vitest'
import { createPoster, RefusedAddressError } from './post.ts'

type Done = (error: null, found: { address: string; family: number }[]) => void

/** Posts to a public name that resolves to these addresses. */
function post(addresses: string[]) {
  const found = addresses.map((address) => ({ address, family: 4 }))
  const resolve = ((_: string, _options: object, done: Done) => done(null, found)) as unknown as typeof lookup // one of several signatures
  return createPoster({ resolve, ports: '1' }).post({ url: 'https://exemple.fr:1/', headers: {}, body: '{}' })
}

test.each([[['127.0.0.1']], [['10.3.2.1', '51.15.0.1']], [['51.15.0.1', '169.254.169.254']]])(
  'a public name that resolves to %j is not called',
  (addresses) => expect(post(addresses)).rejects.toBeInstanceOf(RefusedAddressError),
)

test('a name without an address is an ordinary failure', () =>
  expect(post([])).rejects.not.toBeInstanceOf(RefusedAddressError))
