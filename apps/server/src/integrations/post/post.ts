import { lookup } from 'node:dns'
import { type IncomingMessage, request as plain } from 'node:http'
import { type RequestOptions, request as secure } from 'node:https'
import { BlockList, connect, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { hasCredentials } from '@voisol/contract/primitives'

export type PostRequest = { url: string; headers: Record<string, string>; body: string }
/** Sends a message to an address chosen by a user, and returns the answer. */
/** `answer` is the beginning of the body. */
export type PostResponse = { status: number; answer?: string }
export type Poster = { post(posting: PostRequest): Promise<PostResponse> }

/** No retry can help: the address is not allowed. */
export class RefusedAddressError extends Error {}
/** The address carries a user name or password, which would be sent along. Its message repeats neither. */
export class CredentialsInAddressError extends RefusedAddressError {}

const POST_TIMEOUT_MS = 15_000

/**
 * Checked at connection time, so that a name that changes its address between check and call gains nothing (DNS
 * rebinding).
 */
export const createPublicLookup =
  (resolve: typeof lookup): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const inner = found.find(({ address }) => !isPublicAddress(address))
      if (inner) return done(new RefusedAddressError(`${hostname} leads to ${inner.address}`), '')
      const [first] = found
      if (!first) return done(new Error(`${hostname} has no address`), '')
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })

/** No more of an answer is read, whatever its size or speed. */
const MAX_ANSWER_BYTES = 2048

function readBeginning(response: IncomingMessage, done: (text: string) => void) {
  const parts: Buffer[] = []
  let size = 0
  const end = () => {
    response.destroy()
    // NUL characters are removed: the answer is displayed and stored as text.
    done(Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES).toString('utf8').replaceAll('\u0000', ''))
  }
  response.on('data', (part: Buffer) => {
    parts.push(part)
    size += part.length
    if (size >= MAX_ANSWER_BYTES) end()
  })
  response.once('end', end).once('error', end).once('aborted', end)
}

function sendPost(url: URL, { headers, body }: PostRequest, options: RequestOptions): Promise<PostResponse> {
  const open = url.protocol === 'https:' ? secure : plain
  return new Promise((resolve, reject) => {
    const request = open(
      url,
      { ...options, method: 'POST', headers, signal: AbortSignal.timeout(POST_TIMEOUT_MS) },
      (response) => {
        readBeginning(response, (answer) => resolve({ status: response.statusCode ?? 0, answer }))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/**
 * Redirects are not followed. With `inner`, for tests, this machine itself may be reached; `resolve` replaces the DNS.
 */
export const createPoster = ({ inner = false, resolve = lookup, ports = '' } = {}): Poster => ({
  async post(posting) {
    const url = new URL(posting.url)
    // An address stored before the entry was checked, or written by another way, may still carry them.
    if (hasCredentials(posting.url)) throw new CredentialsInAddressError(`${url.host} has credentials in its address`)
    if (inner) return sendPost(url, posting, {})
    if (url.protocol !== 'https:' || isPrivateHost(getUnbracketedHost(url)))
      throw new RefusedAddressError(`${url.host} is not public`)
    if (!isAllowedPort(url, ports)) throw new RefusedAddressError(`${url.host} is no port of the web`)
    return sendPost(url, posting, { lookup: createPublicLookup(resolve) })
  },
})

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

const CONNECT_TIMEOUT_MS = 10_000
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?$/i

/** The host as the system would parse it: 0x7f000001, 127.1 and 2130706433 are addresses too. */
function normalizeHost(text: string): string | undefined {
  const host = text.includes(':') ? `[${text.replace(/^\[|\]$/g, '')}]` : text
  if (!text.includes(':') && !HOST_NAME.test(text)) return undefined
  return URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, '') : undefined
}

/** Why a host may not be called with another protocol than HTTP. */
export function findHostRefusal(text: string, port: number, usual: readonly number[], opened: string) {
  const host = normalizeHost(text)
  if (!host) return 'Un nom de serveur est attendu, par exemple sftp.exemple.fr, sans rien devant ni derrière.'
  if (isPrivateHost(host))
    return 'Ce serveur n’est pas joignable depuis internet\u00a0: donnez un nom de domaine public.'
  const open = usual.includes(port) || opened.split(',').some((one) => one.trim() === String(port))
  return open ? undefined : `Le port ${port} n’est pas permis\u00a0: ${usual.join(', ')} le sont sur ce serveur.`
}

/** A TCP connection to a host chosen by a user; its address is checked when the connection is made. */
export function connectToHost(text: string, port: number, guarded: boolean, resolve = lookup): Promise<Socket> {
  const host = normalizeHost(text)
  if (!host || (guarded && isPrivateHost(host))) throw new RefusedAddressError(`${text} is not public`)
  return new Promise((done, reject) => {
    const socket = connect({ host, port, ...(guarded && { lookup: createPublicLookup(resolve) }) })
    const give = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => give(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    socket.once('error', give).once('connect', () => {
      socket.off('error', give).setTimeout(0)
      done(socket)
    })
  })
}
