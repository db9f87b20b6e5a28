import { lookup } from 'node:dns'
import { resolveTxt } from 'node:dns/promises'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { hasCredentials } from '@voisol/contract/primitives'
import {
  connectToHost,
  createPublicLookup,
  findHostRefusal,
  getUnbracketedHost,
  isAllowedPort,
  isPrivateHost,
  RefusedAddressError,
} from './post.ts'

type OutboundCall = {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
  /** Timeout in milliseconds, for larger uploads. */
  patience?: number
}

/** Calls to hosts chosen by users, with an interface like `fetch` and the same address guard as webhooks. */
export type OutboundClient = {
  fetch(url: string, call: OutboundCall): Promise<Response>
  /** Why a URL may not be called, checked before it is saved. */
  refusal(url: string): string | undefined
  /**
   * Why a host may not be called with another protocol than HTTP: its usual ports are allowed, and those of the
   * operator.
   */
  refusalOfHost(host: string, port: number, usual: readonly number[]): string | undefined
  /** A TCP connection with the same guard. */
  dial(host: string, port: number): Promise<Socket>
  /** The TXT records of a name; empty if there are none. */
  txt(name: string): Promise<string[]>
  /** In tests only: this machine itself may be reached, unencrypted. */
  inner: boolean
}

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 1_000_000
const EMPTY = new Set([204, 205, 304])

const toRequestBody = (body: unknown) => {
  if (body === undefined || body === null) return undefined
  return body instanceof Uint8Array ? body : String(body)
}

function sendRequest(
  url: URL,
  { method, headers, body, signal, patience = TIMEOUT_MS }: OutboundCall,
  names: typeof lookup | undefined,
): Promise<Response> {
  const open = url.protocol === 'https:' ? secure : plain
  const time = AbortSignal.timeout(patience)
  return new Promise((resolve, reject) => {
    const request = open(
      url,
      {
        method,
        headers,
        signal: signal ? AbortSignal.any([signal, time]) : time,
        ...(names && { lookup: createPublicLookup(names) }),
      },
      async (response) => {
        try {
          const pieces: Buffer[] = []
          let length = 0
          for await (const piece of response as AsyncIterable<Buffer>) {
            length += piece.length
            if (length > MAX_ANSWER_BYTES) throw new Error(`${url.host} answers more than ${MAX_ANSWER_BYTES} bytes`)
            pieces.push(piece)
          }
          const status = response.statusCode ?? 502
          const given = { status, headers: response.headers as Record<string, string> } // lists are joined by Headers
          resolve(new Response(EMPTY.has(status) ? null : Buffer.concat(pieces), given))
        } catch (error) {
          response.destroy()
          reject(error)
        }
      },
    )
    request.on('error', reject)
    // A stream is sent as a stream.
    if (body instanceof Readable) body.once('error', (error) => request.destroy(error)).pipe(request)
    else request.end(toRequestBody(body))
  })
}

const NOT_PUBLIC =
  'Cette adresse n’est pas joignable depuis internet\u00a0: donnez un nom de domaine public, en https://.'

const WITH_CREDENTIALS =
  'Une adresse sans nom d’utilisateur ni mot de passe est attendue\u00a0: donnez-les dans leurs champs.'

function findUrlRefusal(text: string, ports: string): string | undefined {
  if (!URL.canParse(text)) return 'Une adresse complète est attendue, par exemple https://connexion.exemple.fr.'
  const url = new URL(text)
  if (url.protocol !== 'https:' || isPrivateHost(getUnbracketedHost(url))) return NOT_PUBLIC
  if (hasCredentials(text)) return WITH_CREDENTIALS
  return isAllowedPort(url, ports)
    ? undefined
    : `Le port ${url.port} n’est pas permis\u00a0: seul 443 l’est sur ce serveur.`
}

const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND'])
const getErrorCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

async function loadTxtRecords(name: string): Promise<string[]> {
  try {
    return (await resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    if (NO_RECORD.has(getErrorCode(error))) return []
    throw error
  }
}

/** Redirects are not followed, and no more is read than a configuration document needs. */
export const createOutboundClient = ({
  inner = false,
  ports = '',
  txt = loadTxtRecords,
  resolve = lookup,
} = {}): OutboundClient => ({
  inner,
  txt,
  refusal: (url) => (inner ? undefined : findUrlRefusal(url, ports)),
  refusalOfHost: (host, port, usual) => (inner ? undefined : findHostRefusal(host, port, usual, ports)),
  dial: (host, port) => connectToHost(host, port, !inner, resolve),
  async fetch(address, call) {
    const refusal = inner ? undefined : findUrlRefusal(address, ports)
    if (refusal) throw new RefusedAddressError(refusal)
    return sendRequest(new URL(address), call, inner ? undefined : resolve)
  },
})
