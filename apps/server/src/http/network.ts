const V4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i
const GROUPS = 8

/** The eight groups of an IPv6 address, without leading zeros; URL is the parser that is at hand. */
function parseIpv6Groups(ip: string): string[] | undefined {
  const address = `http://[${ip.split('%', 1)[0]}]`
  if (!URL.canParse(address)) return undefined
  const [start = '', end] = new URL(address).hostname.slice(1, -1).split('::')
  const parts = (text: string) => (text ? text.split(':') : [])
  if (end === undefined) return parts(start)
  const [left, right] = [parts(start), parts(end)]
  return [...left, ...Array<string>(GROUPS - left.length - right.length).fill('0'), ...right]
}

/** An IPv4 address that travels inside an IPv6 one. */
function getMappedIpv4(groups: string[]): string | undefined {
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,ffff') return undefined
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return bytes.flatMap((two) => [two >> 8, two & 255]).join('.')
}

/** Where a call comes from, as far as one connection reaches: an IPv4 address, or the /64 that IPv6 gives whole to one. */
export function getClientNetwork(ip: string): string {
  const plain = V4.exec(ip)?.[1]
  if (plain) return plain
  const groups = parseIpv6Groups(ip)
  if (!groups) return ip
  return getMappedIpv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`
}
