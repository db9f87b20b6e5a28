import { lookup } from 'node:dns'
import { type IncomingMessage, request as plain } from 'node:http'
import { type RequestOptions, request as secure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { getUnbracketedHost, isAllowedPort, isPrivateHost, isPublicAddress } from './addresses.ts'

export type PostRequest = { url: string; headers: Record<string, string>; body: string }
/** Sends a message to an address chosen by a user, and returns the answer. */
/** `answer` is the beginning of the body. */
export type PostResponse = { status: number; answer?: string }
export type Poster = { post(posting: PostRequest): Promise<PostResponse> }

/** No retry can help: the address is not allowed. */
export class RefusedAddressError extends Error {}

const TIMEOUT_MS = 15_000

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
      { ...options, method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS) },
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
    if (inner) return sendPost(url, posting, {})
    if (url.protocol !== 'https:' || isPrivateHost(getUnbracketedHost(url)))
      throw new RefusedAddressError(`${url.host} is not public`)
    if (!isAllowedPort(url, ports)) throw new RefusedAddressError(`${url.host} is no port of the web`)
    return sendPost(url, posting, { lookup: createPublicLookup(resolve) })
  },
})
