import { lookup } from 'node:dns'
import { type IncomingMessage, request as plain } from 'node:http'
import { type RequestOptions, request as secure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { hostOf, isInnerHost, isOpenPort, isPublicAddress } from './addresses.ts'

export type Posting = { url: string; headers: Record<string, string>; body: string }
/** Sends a message to an address that somebody else chose, and says what was answered. */
/** `answer` is the beginning of what came back. */
export type Answered = { status: number; answer?: string }
export type Poster = { post(posting: Posting): Promise<Answered> }

/** No repeat can help: the address leads where nothing may be sent. */
export class RefusedAddress extends Error {}

const TIMEOUT_MS = 15_000

/** Looked at where the connection is made: a name that changes its answer between two looks gains nothing. */
export const publicLookup =
  (resolve: typeof lookup): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const inner = found.find(({ address }) => !isPublicAddress(address))
      if (inner) return done(new RefusedAddress(`${hostname} leads to ${inner.address}`), '')
      const [first] = found
      if (!first) return done(new Error(`${hostname} has no address`), '')
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })

/** No more of an answer is read, whatever its size and however slowly it comes. */
const READ_BYTES = 2048

function beginning(response: IncomingMessage, done: (text: string) => void) {
  const parts: Buffer[] = []
  let size = 0
  const end = () => {
    response.destroy()
    // What is no text is left out: it is shown to people and kept as one.
    done(Buffer.concat(parts).subarray(0, READ_BYTES).toString('utf8').replaceAll('\u0000', ''))
  }
  response.on('data', (part: Buffer) => {
    parts.push(part)
    size += part.length
    if (size >= READ_BYTES) end()
  })
  response.once('end', end).once('error', end).once('aborted', end)
}

function send(url: URL, { headers, body }: Posting, options: RequestOptions): Promise<Answered> {
  const open = url.protocol === 'https:' ? secure : plain
  return new Promise((resolve, reject) => {
    const request = open(
      url,
      { ...options, method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS) },
      (response) => {
        beginning(response, (answer) => resolve({ status: response.statusCode ?? 0, answer }))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Redirections are not followed. With `inner`, for tests, the machine itself may be reached; `resolve` knows the names. */
export const openPoster = ({ inner = false, resolve = lookup, ports = '' } = {}): Poster => ({
  async post(posting) {
    const url = new URL(posting.url)
    if (inner) return send(url, posting, {})
    if (url.protocol !== 'https:' || isInnerHost(hostOf(url))) throw new RefusedAddress(`${url.host} is not public`)
    if (!isOpenPort(url, ports)) throw new RefusedAddress(`${url.host} is no port of the web`)
    return send(url, posting, { lookup: publicLookup(resolve) })
  },
})
