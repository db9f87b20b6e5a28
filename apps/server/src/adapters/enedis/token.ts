import { z } from 'zod'
import { type EnedisRequest, type ExchangeOptions, sendEnedisRequest } from './exchange.ts'
import { parseEnedisAnswer } from './shape.ts'

const Answer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().min(1).default(12_600) })
/** Renewed a little before it expires, so that it does not expire in transit. */
const EXPIRY_MARGIN_MS = 60_000

export type ClientCredentials = { clientId: string; clientSecret: string }

export type EnedisToken = ReturnType<typeof createEnedisToken>

/** One token for all callers: those who need it while it is being fetched wait for the same one. */
export function createEnedisToken(url: string, { clientId, clientSecret }: ClientCredentials, way: ExchangeOptions) {
  let current: { value: string; until: number } | undefined
  let fetching: Promise<string> | undefined
  const asked: EnedisRequest = {
    url,
    method: 'POST',
    secret: true,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  }
  async function fetchToken() {
    const { access_token, expires_in } = parseEnedisAnswer(Answer, (await sendEnedisRequest(asked, way)).value)
    current = { value: access_token, until: performance.now() + Math.max(1000, expires_in * 1000 - EXPIRY_MARGIN_MS) }
    return access_token
  }
  return {
    get(): Promise<string> {
      if (current && current.until > performance.now()) return Promise.resolve(current.value)
      fetching ??= fetchToken().finally(() => {
        fetching = undefined
      })
      return fetching
    },
    /** Refused by the distributor: the next call fetches another, unless someone already has. */
    drop(value: string) {
      if (current?.value === value) current = undefined
    },
  }
}
