import { lookup } from 'node:dns'
import { expect, test, vi } from 'vitest'
import { openPoster, RefusedAddress } from './post.ts'

vi.mock('node:dns', () => ({ lookup: vi.fn() }))

type Found = { address: string; family: number }[]
const leadsTo = (...addresses: string[]) =>
  vi.mocked(lookup).mockImplementation(((_: string, _options: object, done: (error: null, found: Found) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    )) as never) // one of several signatures

const post = () => openPoster().post({ url: 'https://exemple.fr:1/', headers: {}, body: '{}' })

test.each([[['127.0.0.1']], [['10.3.2.1', '51.15.0.1']], [['51.15.0.1', '169.254.169.254']]])(
  'a public name whose answers are %j is not reached',
  async (addresses) => {
    leadsTo(...addresses)
    await expect(post()).rejects.toBeInstanceOf(RefusedAddress)
  },
)

test('a name without an address is a failure like another', async () => {
  leadsTo()
  await expect(post()).rejects.not.toBeInstanceOf(RefusedAddress)
})
