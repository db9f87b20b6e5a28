import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

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

/** The public origin of this installation: configured by the operator, else that of the request. */
export function getRequestOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  const given = publicUrl ?? `${request.protocol}://${request.host}`
  return URL.canParse(given) ? new URL(given).origin : 'http://localhost'
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a proxy forwards calls without being listed in TRUST_PROXY. */
    proxy: { unnamed: boolean }
  }
}

export const NO_TRUSTED_PROXY =
  'TRUST_PROXY est vide\u00a0: si un relais (proxy, équilibreur) reçoit les visiteurs, nommez son adresse. ' +
  'Sans elle tous semblent venir du relais, et les tentatives de connexion des uns comptent pour les autres.'
const UNTRUSTED_PROXY_SEEN =
  'Un relais transmet des visiteurs sans être nommé dans TRUST_PROXY\u00a0: tous semblent venir de la même adresse, ' +
  'et les tentatives de connexion des uns comptent pour les autres. Nommez son adresse dans TRUST_PROXY.'

const isForwarded = ({ headers }: FastifyRequest) => Boolean(headers['x-forwarded-for'] ?? headers.forwarded)

/** Detects forwarded calls from an unknown proxy, and reports it once. */
export function registerProxyDetection(app: FastifyInstance) {
  const { config, log } = app.deps
  app.decorate('proxy', { unnamed: false })
  if (!config.production || config.TRUST_PROXY !== '') return
  app.addHook('onRequest', async (request) => {
    if (app.proxy.unnamed || !isForwarded(request)) return
    app.proxy.unnamed = true
    log.warn({ variable: 'TRUST_PROXY', seen: request.ip }, UNTRUSTED_PROXY_SEEN)
  })
}
