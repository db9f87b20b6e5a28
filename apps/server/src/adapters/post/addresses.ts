import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses of private networks, of this machine or of no use (RFC 6890, and ranges mapped onto them). */
const PRIVATE_IPV4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE_IPV4.addSubnet(network, prefix, 'ipv4')
/** Only the IPv6 ranges allocated to the internet; 6to4 and NAT64 addresses embed an arbitrary IPv4 address. */
const PUBLIC_IPV6 = new BlockList()
PUBLIC_IPV6.addSubnet('2000::', 3, 'ipv6')
const TRANSITION_IPV6 = new BlockList()
TRANSITION_IPV6.addSubnet('2002::', 16, 'ipv6')
TRANSITION_IPV6.addSubnet('2001::', 23, 'ipv6')
TRANSITION_IPV6.addSubnet('2001:db8::', 32, 'ipv6')

const USUAL_PORTS = ['', '80', '443']
/** Other ports may belong to internal services, unless the operator allows them. */
export const isAllowedPort = ({ port }: URL, opened: string) =>
  USUAL_PORTS.includes(port) || opened.split(',').some((one) => one.trim() === port)

export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return PUBLIC_IPV6.check(address, 'ipv6') && !TRANSITION_IPV6.check(address, 'ipv6')
  return isIP(address) === 4 && !PRIVATE_IPV4.check(address, 'ipv4')
}

/** The host of a URL without the brackets of IPv6. */
export const getUnbracketedHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** A host that cannot be public, known without a DNS lookup. */
export function isPrivateHost(host: string): boolean {
  if (isIP(host)) return !isPublicAddress(host)
  return !host.includes('.') || /(^|\.)(localhost|local|internal|intranet|lan|home|corp)\.?$/i.test(host)
}
