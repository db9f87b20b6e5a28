import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getClientNetwork } from './client-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:7:1::1', '2001:db8:7:1::/64'],
  ['2001:0DB8:0007:0001:ffff:ffff:ffff:ffff', '2001:db8:7:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s belongs to %s', (ip, network) => {
  expect(getClientNetwork(ip)).toBe(network)
})

test('limits count by network, because one subscriber has many IPv6 addresses', () => {
  const cwd = join(import.meta.dirname, '..')
  const counting = globSync('**/*.ts', { cwd, exclude: ['**/*.test.ts'] })
    .flatMap((file) => readFileSync(join(cwd, file), 'utf8').split('\n'))
    .filter((line) => line.includes('throttle(') && line.includes('.ip'))
  expect(counting.length).toBeGreaterThan(8)
  expect(counting.filter((line) => !line.includes('getClientNetwork('))).toEqual([])
})
