import { BlockList, isIPv6 } from 'node:net'

const MAX_CACHED_LISTS = 500
const known = new Map<string, BlockList>()

function getBlockList(networks: readonly string[]): BlockList {
  const name = networks.join()
  const kept = known.get(name)
  if (kept) return kept
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  if (known.size >= MAX_CACHED_LISTS) known.clear()
  known.set(name, list)
  return list
}

/**
 * Whether an address is in one of the networks; an IPv4-mapped IPv6 address counts as IPv4. An empty list allows all.
 */
export function isAddressAllowed(networks: readonly string[], ip: string): boolean {
  if (networks.length === 0) return true
  const address = ip.split('%', 1)[0] ?? ''
  return getBlockList(networks).check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
