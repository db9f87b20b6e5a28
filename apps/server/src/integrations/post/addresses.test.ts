import { describe, expect, test } from 'vitest'
import { isAllowedPort, isPrivateHost, isPublicAddress } from './post.ts'

describe('ranges outside the public internet are private at both ends', () => {
  test.each([
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['2002::', '2002:ffff:ffff:ffff::1'],
    ['2001::', '2001:1ff:ffff::1'],
    ['2001:db8::', '2001:db8:ffff::1'],
    ['::1', '1fff:ffff::1'],
    ['4000::', 'fe80::1'],
  ])('%s – %s', (first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false])
  })

  test.each([
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2003::1',
    '2a01:e0a::1',
  ])('%s, next to such a range, is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test('what is not an address is not public', () => {
    expect(isPublicAddress('exemple.fr')).toBe(false)
  })
})

test.each([
  ['serveur', true],
  ['localhost', true],
  ['base.local', true],
  ['base.internal', true],
  ['base.internal.', true],
  ['base.lan', true],
  ['base.corp', true],
  ['internal.exemple.fr', false],
  ['exemple.fr', false],
  ['10.1.2.3', true],
  ['8.8.8.8', false],
])('the host %s is private: %s', (host, inner) => {
  expect(isPrivateHost(host)).toBe(inner)
})

test('web ports are allowed, others where the operator allows them', () => {
  const open = (url: string, opened = '') => isAllowedPort(new URL(url), opened)
  expect([open('https://a.fr'), open('https://a.fr:443'), open('https://a.fr:80')]).toEqual([true, true, true])
  expect([open('https://a.fr:8443'), open('https://a.fr:844', '8443')]).toEqual([false, false])
  expect([open('https://a.fr:8443', '9000, 8443'), open('https://a.fr:22', '8443')]).toEqual([true, false])
})
