import { Network, Networks } from '@voisol/contract/networks'
import { expect, test } from 'vitest'
import { isAddressAllowed } from './client-address.ts'

test.each([
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['203.0.113.7', ['203.0.113.7/32'], true],
  ['203.0.113.8', ['203.0.113.7/32'], false],
  ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
  ['::ffff:203.0.114.7', ['203.0.113.0/24'], false],
  ['2001:db8:1::9', ['2001:db8:1::/48'], true],
  ['2001:db8:2::9', ['2001:db8:1::/48'], false],
  ['2001:db8:2::9', ['203.0.113.0/24', '2001:db8:2::/48'], true],
  ['10.1.2.3', ['0.0.0.0/0'], true],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['fe80::1%eth0', ['fe80::/10'], true],
  ['10.1.2.3', [], true],
])('%s in %j: %s', (ip, networks, allowed) => expect(isAddressAllowed(networks, ip)).toBe(allowed))

test('a single address is a network, normalised and without duplicates', () => {
  expect(Networks.parse([' 203.0.113.7 ', '203.0.113.7/32', '2001:DB8::1'])).toEqual([
    '203.0.113.7/32',
    '2001:db8::1/128',
  ])
})

test.each(['203.0.113', '203.0.113.7/33', '2001:db8::/129', 'exemple.fr', '', '10.0.0.0/8/8', '10.0.0.0/'])(
  '« %s » is refused as a network',
  (text) => expect(Network.safeParse(text).success).toBe(false),
)
