const V4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i
const GROUPS = 8

/** The eight groups of an IPv6 address, without leading zeros; the URL parser is used for it. */
function parseIpv6Groups(ip: string): string[] | undefined {
  const address = `http://[${ip.split('%', 1)[0]}]`
  if (!URL.canParse(address)) return undefined
  const [start = '', end] = new URL(address).hostname.slice(1, -1).split('::')
  const parts = (text: string) => (text ? text.split(':') : [])
  if (end === undefined) return parts(start)
  const [left, right] = [parts(start), parts(end)]
  return [...left, ...Array<string>(GROUPS - left.length - right.length).fill('0'), ...right]
}

/** The IPv4 address of an IPv4-mapped IPv6 address. */
function getMappedIpv4(groups: string[]): string | undefined {
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,ffff') return undefined
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return bytes.flatMap((two) => [two >> 8, two & 255]).join('.')
}

/** The network of a caller, as one subscriber's connection: an IPv4 address, or an IPv6 /64. */
export function getClientNetwork(ip: string): string {
  const plain = V4.exec(ip)?.[1]
  if (plain) return plain
  const groups = parseIpv6Groups(ip)
  if (!groups) return ip
  return getMappedIpv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`
}
